// `npm run budgets`, second half: what routes cost in DynamoDB units, held to the design's limits, and whether the first
// page of a mailbox costs the same however much lies behind it.
import { MeasuredStack } from './measured-stack.ts';
import { middlewareCpuMs } from './middleware-cost.ts';
import { listUnits, measureRoutes } from './route-costs.ts';

const FLAT_RATIO_MAX = 1.2;
const MIDDLEWARE_CPU_MS_MAX = 0.3;
const SMALL = 20;
const LARGE = 10_000;

const line = (isOver: boolean, subject: string, value: string, limit: number): void =>
  void process.stdout.write(`${isOver ? 'OVER' : 'ok  '}  ${subject.padEnd(40)} ${value.padStart(7)} of ${limit}\n`);

const stack = await MeasuredStack.start();
try {
  const rows = await measureRoutes(stack);
  const ratio = (await listUnits(stack, LARGE)) / (await listUnits(stack, SMALL));
  const middleware = await middlewareCpuMs();
  for (const { name, units, limit } of rows) line(units > limit, `units ${name}`, units.toFixed(1), limit);
  line(ratio > FLAT_RATIO_MAX, `page 1 of ${LARGE} mails against ${SMALL}`, ratio.toFixed(2), FLAT_RATIO_MAX);
  line(middleware > MIDDLEWARE_CPU_MS_MAX, 'middleware CPU ms a request', middleware.toFixed(3), MIDDLEWARE_CPU_MS_MAX);
  const isOver = ratio > FLAT_RATIO_MAX || middleware > MIDDLEWARE_CPU_MS_MAX || rows.some(({ units, limit }) => units > limit);
  if (isOver) process.exitCode = 1;
} finally {
  await stack.stop();
}

// `npm run budgets`, second half: what routes cost in DynamoDB units, held to the design's limits, and whether the first
// page of a mailbox costs the same however much lies behind it.
import { MeasuredStack } from './measured-stack.ts';
import { listUnits, measureRoutes } from './route-costs.ts';

const FLAT_RATIO_MAX = 1.2;
const SMALL = 20;
const LARGE = 10_000;

const stack = await MeasuredStack.start();
try {
  const rows = await measureRoutes(stack);
  const ratio = (await listUnits(stack, LARGE)) / (await listUnits(stack, SMALL));
  for (const { name, units, limit } of rows) {
    process.stdout.write(`${units > limit ? 'OVER' : 'ok  '}  units ${name.padEnd(34)} ${units.toFixed(1).padStart(7)} of ${limit}\n`);
  }
  process.stdout.write(`${ratio > FLAT_RATIO_MAX ? 'OVER' : 'ok  '}  page 1 of ${LARGE} mails against ${SMALL}       ${ratio.toFixed(2)} of ${FLAT_RATIO_MAX}\n`);
  if (ratio > FLAT_RATIO_MAX || rows.some(({ units, limit }) => units > limit)) process.exitCode = 1;
} finally {
  await stack.stop();
}

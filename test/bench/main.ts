// `npm run bench`: the table of the README (what routes cost by the meter), how flat a mailbox is from 10 to 100,000
// mails, and how long requests take here against the fastest of them, as ratios since machines differ.
import { performance } from 'node:perf_hooks';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { MeasuredStack } from './measured-stack.ts';
import { listUnits, measureRoutes } from './route-costs.ts';

const SIZES = [10, 1000, 100_000] as const;
const ROUNDS = 40;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const callsOf = (calls: Readonly<Record<string, number>>): string =>
  Object.entries(calls)
    .map(([name, count]) => (count === 1 ? name : `${count} × ${name}`))
    .join(', ');

const printCosts = async (stack: MeasuredStack): Promise<void> => {
  print('| Route | read units | write units | calls |\n|---|---|---|---|');
  for (const { name, cost } of await measureRoutes(stack))
    print(`| ${name} | ${cost.readUnits} | ${cost.writeUnits} | ${callsOf(cost.calls)} |`);
};

const printFlatness = async (stack: MeasuredStack): Promise<void> => {
  print('\n| Mails in the mailbox | read units of page 1 |\n|---|---|');
  for (const size of SIZES) print(`| ${size.toLocaleString('en')} | ${await listUnits(stack, size)} |`);
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const medianMs = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
};

const printTimes = async (stack: MeasuredStack): Promise<void> => {
  const [alice, bob]: [Agent, Agent] = [await newAgent(stack.api), await newAgent(stack.api)];
  const versions = await medianMs(() => stack.api.get('/api/versions'));
  const list = await medianMs(() => stack.api.get('/api/inbox', bob.token));
  const send = await medianMs(() => stack.api.post('/api/send', { to: bob.email, subject: 's', body: 'b' }, alice.token));
  print('\n| Request, warm | median, as a multiple of a request that touches no table |\n|---|---|');
  print(`| list | ${(list / versions).toFixed(1)} |\n| send internal | ${(send / versions).toFixed(1)} |`);
};

const stack = await MeasuredStack.start();
try {
  await printCosts(stack);
  await printFlatness(stack);
  await printTimes(stack);
} finally {
  await stack.stop();
}

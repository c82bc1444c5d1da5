// What the routes that matter cost in DynamoDB units and calls, and the limits they are held to (README, "Costs").
import type { Wallet } from '#domain/values/wallet.ts';
import { type Agent, newAgent } from '#test/support/agents.ts';
import type { Cost, MeasuredStack } from './measured-stack.ts';

export interface RouteCost {
  readonly name: string;
  readonly cost: Cost;
  readonly units: number;
  /** Read and write units together, at most. */
  readonly limit: number;
}

const UNIT_LIMITS = { list: 5, 'get read mail': 1.5, 'first read with stake': 18, 'send internal': 24, delete: 12 } as const;

const total = (cost: Cost): number => cost.readUnits + cost.writeUnits;

const row = (name: keyof typeof UNIT_LIMITS, cost: Cost): RouteCost => ({ name, cost, units: total(cost), limit: UNIT_LIMITS[name] });

const send = (stack: MeasuredStack, from: Agent, to: Agent) =>
  stack.api.post('/api/send', { to: to.email, subject: 'Measured', body: 'A mail of *ordinary* length. '.repeat(20) }, from.token);

/** Measures each route once, after a first call that pays for what a cold function reads. */
export const measureRoutes = async (stack: MeasuredStack): Promise<readonly RouteCost[]> => {
  const [alice, bob] = [await newAgent(stack.api), await newAgent(stack.api)];
  await stack.fill(bob.wallet as Wallet, 100);
  const first = await send(stack, alice, bob);
  const id = String(first.body['email_id']);
  await stack.api.get('/api/inbox', bob.token);
  await stack.control.drain();
  const inbox = (path: string) => stack.api.get(`/api/inbox${path}`, bob.token);
  const detail = 'GET /api/inbox/{id}';
  const stakedRead = await stack.costOf(detail, () => inbox(`/${id}`));
  const read = await stack.costOf(detail, () => inbox(`/${id}`));
  return [
    row('list', await stack.costOf('GET /api/inbox', () => inbox('?limit=20'))),
    row('get read mail', read),
    row('first read with stake', stakedRead),
    row('send internal', await stack.costOf('POST /api/send', () => send(stack, alice, bob))),
    row('delete', await stack.costOf('DELETE /api/inbox/{id}', () => stack.api.delete(`/api/inbox/${id}`, bob.token))),
  ];
};

/** Read units of page 1 with this many mails. */
export const listUnits = async (stack: MeasuredStack, mails: number): Promise<number> => {
  const owner = await newAgent(stack.api);
  await stack.fill(owner.wallet as Wallet, mails);
  const list = () => stack.api.get('/api/inbox?limit=20', owner.token);
  await list();
  return (await stack.costOf('GET /api/inbox', list)).readUnits;
};

// One run: sets the world up, plays a history with its faults, brings everything to rest, and looks for what is wrong.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { EARN_ATTRIBUTES } from '#adapters/dynamo/account-codec.ts';
import { keys } from '#adapters/dynamo/keys.ts';
import { dayOf } from '#domain/values/time.ts';
import type { RealTable } from '#test/support/real-table.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { again, type Deed, type Verdict } from './commands/command.ts';
import { scheduleDeed, streamDeed } from './commands/service.ts';
import { groupsOf, type Step } from './history.ts';
import { rowsAreOnlyAdded } from './invariants/append-only.ts';
import { bondInvariants, bondsEndOnce } from './invariants/bonds.ts';
import type { Invariant } from './invariants/invariant.ts';
import { ledgerInvariants } from './invariants/ledger.ts';
import { mailboxInvariants } from './invariants/mailboxes.ts';
import { promiseInvariants } from './invariants/promises.ts';
import { seededRandom, seedFor } from './random.ts';
import { emptyChain, usePresentChain } from './world/chain.ts';
import { type Cloud, emptyCloud } from './world/cloud.ts';
import type { Functions } from './world/functions.ts';
import { startOperation } from './world/operation.ts';
import { runTogether } from './world/scheduler.ts';
import { takeSnapshot } from './world/snapshot.ts';
import { openTableStream } from './world/table-stream.ts';
import { callApi, newWorld, type World } from './world/world.ts';

const AGENTS = 5;
/** The last of the agents is not registered when a run begins. */
const REGISTERED = 4;
/** 2026-11-20, an hour before the day ends in UTC. */
const START = 1_795_215_600;
/** The first agent has earned this much on the first day, so that the cap is never far. */
const EARNED_BEFORE = 180n;
const SIDE_BY_SIDE_MAX = 4;
/** A repeated deed meets faults this often, and then none. */
const FAULTY_TRIES = 3;
const TRIES_MAX = 8;
/** How often a run is looked at while it goes on. */
const LOOK_EVERY = 12;

export interface Stage {
  readonly functions: Functions;
  readonly server: RealTable;
  readonly useCloud: (cloud: Cloud) => void;
}

export interface RunResult {
  readonly violations: readonly string[];
  readonly lines: readonly string[];
}

const walletOf = (index: number): Wallet => `0x${(index + 1).toString(16).padStart(2, '0').repeat(20)}`;

const setUp = async ({ functions, server, useCloud }: Stage): Promise<World> => {
  await server.renew();
  const cloud = emptyCloud();
  const chain = emptyChain();
  useCloud(cloud);
  usePresentChain(chain);
  const stream = await openTableStream(server.url);
  const wallets = Array.from({ length: AGENTS }, (_, index) => walletOf(index));
  return newWorld({ functions, cloud, chain, stream, wallets, now: START });
};

const runDeed = async (world: World, label: string, seed: number, run: () => Promise<unknown>): Promise<void> => {
  const operation = startOperation({ label, seed, oneIn: 0, surroundings: world, work: run });
  await runTogether([operation], seededRandom(seed), world);
  if (operation.ending?.is === 'failed') throw operation.ending.error;
};

const registerAgents = async (world: World): Promise<void> => {
  for (const [index, wallet] of world.wallets.slice(0, REGISTERED).entries()) {
    const request = { wallet, area: 'registration', method: 'POST', route: '/api/register', body: {} } as const;
    await runDeed(world, 'register', index, async () => {
      const { status, body } = await callApi(world, request);
      if (status !== 201) throw new Error(`an agent could not be registered: ${status} ${JSON.stringify(body)}`);
    });
  }
};

const earnBefore = async (world: World): Promise<void> => {
  const [wallet] = world.wallets;
  if (!wallet) return;
  const day = dayOf(world.now);
  world.earnedBefore.set(`${wallet} ${day}`, EARNED_BEFORE);
  const update = {
    TableName: world.table.name,
    Key: keys.account(wallet),
    UpdateExpression: 'SET #day = :day, #earned = :earned',
    ExpressionAttributeNames: { '#day': EARN_ATTRIBUTES.day, '#earned': EARN_ATTRIBUTES.earned },
    ExpressionAttributeValues: { ':day': day, ':earned': EARNED_BEFORE },
  };
  await world.table.client.send(new UpdateCommand(update));
};

interface Task {
  readonly deed: Deed;
  readonly step: Pick<Step, 'seed' | 'faultOneIn'>;
}

const startTask = (world: World, { deed, step }: Task, attempt: number) =>
  startOperation<Verdict>({
    label: deed.label,
    seed: seedFor(step.seed, attempt + 1),
    oneIn: attempt < FAULTY_TRIES ? step.faultOneIn : 0,
    surroundings: world,
    work: () => deed.run(),
  });

type Started = ReturnType<typeof startTask>;

/** After a death whoever invoked the function tries again, if that is how it is invoked. */
const verdictOf = (world: World, { ending, label }: Started): Verdict => {
  if (ending?.is === 'done') return ending.value;
  world.note(`  ${label} → ${ending?.is === 'failed' ? `failed: ${String(ending.error)}` : 'died'}`);
  return again();
};

/** Runs tasks side by side, and again those that are not over. */
const runTasks = async (world: World, tasks: readonly Task[], seed: number): Promise<void> => {
  let left = tasks;
  for (let attempt = 0; attempt < TRIES_MAX && left.length > 0; attempt += 1) {
    const started = left.map((task) => startTask(world, task, attempt));
    await runTogether(started, seededRandom(seedFor(seed, 100 + attempt)), world);
    const verdicts = started.map((operation) => verdictOf(world, operation));
    left = left.filter((task, index) => task.deed.isRepeated && verdicts[index]?.is === 'again');
    world.now += Math.max(0, ...verdicts.map((verdict, index) => (verdict.is === 'again' && tasks[index] ? verdict.afterSeconds : 0)));
  }
};

/** Calls whose functions died long ago arrive after all. */
const landLateCalls = async (world: World, isEnd: boolean): Promise<void> => {
  for (const call of world.late.splice(0)) {
    call.stepsLeft -= 1;
    if (call.stepsLeft > 0 && !isEnd) world.late.push(call);
    else {
      world.note(`  arrives late: ${call.label}`);
      await call.make();
    }
  }
};

const runGroup = async (world: World, steps: readonly Step[]): Promise<void> => {
  const tasks: Task[] = [];
  const chance = seededRandom(seedFor(steps[0]?.seed ?? 0, 50));
  // The first agent is near its cap, and so the one to watch.
  world.focus = chance.chance(0.4) ? world.wallets[0] : chance.pick(world.wallets);
  for (const step of steps) {
    const chosen = await step.command.choose(world, seededRandom(step.seed ^ 0x2545f491));
    for (const deed of chosen === undefined ? [] : [chosen].flat())
      tasks.push({ deed, step: { ...step, seed: seedFor(step.seed, 200 + tasks.length) } });
  }
  if (tasks.length > 1) world.note(`  side by side: ${tasks.map(({ deed }) => deed.label).join(' | ')}`);
  await runTasks(world, tasks, steps[0]?.seed ?? 0);
  await landLateCalls(world, false);
};

/** No more faults: late calls arrive, the outbox is decided, and the stream is followed to its end. */
const comeToRest = async (world: World): Promise<void> => {
  await landLateCalls(world, true);
  world.now += 3600;
  const sweep = { deed: scheduleDeed(world, 'onOutboxDue', world.functions.onOutboxDue), step: { seed: 1, faultOneIn: 0 } };
  await runTasks(world, [sweep], 1);
  const follow = await streamDeed(world, world.stream.records.length);
  if (follow) await runTasks(world, [{ deed: follow, step: { seed: 2, faultOneIn: 0 } }], 2);
  await world.stream.refresh(world.now);
};

const ALWAYS: readonly Invariant[] = [...ledgerInvariants, ...mailboxInvariants, ...bondInvariants];
const AT_REST: readonly Invariant[] = [...ALWAYS, ...promiseInvariants, rowsAreOnlyAdded, bondsEndOnce];

const look = async (world: World, invariants: readonly Invariant[]): Promise<string[]> => {
  const snapshot = await takeSnapshot(world);
  return invariants.flatMap((invariant) => invariant(snapshot, world));
};

const play = async (world: World, steps: readonly Step[]): Promise<string[]> => {
  await registerAgents(world);
  await earnBefore(world);
  let sinceLook = 0;
  for (const group of groupsOf(steps, SIDE_BY_SIDE_MAX)) {
    await runGroup(world, group);
    sinceLook += group.length;
    if (sinceLook < LOOK_EVERY) continue;
    sinceLook = 0;
    const violations = await look(world, ALWAYS);
    if (violations.length > 0) return violations;
  }
  await comeToRest(world);
  return look(world, AT_REST);
};

/** Plays one history in a fresh world. */
export const runHistory = async (stage: Stage, steps: readonly Step[]): Promise<RunResult> => {
  const world = await setUp(stage);
  try {
    return { violations: await play(world, steps), lines: world.lines };
  } catch (error) {
    return {
      violations: [`the run broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
      lines: world.lines,
    };
  }
};

// What agents do with their accounts and names.
import type { Wallet } from '#domain/values/wallet.ts';
import type { Random } from '../random.ts';
import { folderOf, someAgent, type World } from '../world/world.ts';
import type { Command } from './command.ts';
import { requestDeed } from './request.ts';

const NAMES_MAX = 12;

/** A name that the wallet owns on chain, bought on the spot while there are few; now and then one of somebody else. */
const nameFor = (world: World, random: Random, wallet: Wallet): string => {
  const { names } = world.chain;
  const candidates = [...names].filter(([, owner]) => owner === wallet || random.chance(0.2)).map(([name]) => name);
  if (candidates.length > 0 && (names.size >= NAMES_MAX || random.chance(0.5))) return random.pick(candidates);
  const name = `simulated${names.size}`;
  names.set(name, wallet);
  return name;
};

/** A name changes hands on chain; mail to it goes where the service knows it until the new owner asks for it. */
const sellName: Command = {
  name: 'sell name',
  weight: 1,
  choose: async (world, random) => {
    const names = [...world.chain.names.keys()];
    if (names.length > 0) world.chain.names.set(random.pick(names), someAgent(world, random));
    return undefined;
  },
};

const register: Command = {
  name: 'register',
  weight: 5,
  choose: async (world, random) => {
    const wallet = random.pick(world.wallets);
    const body = random.chance(0.3) ? { basename: nameFor(world, random, wallet) } : {};
    return requestDeed(world, random, { wallet, area: 'registration', method: 'POST', route: '/api/register', body }, { hasKey: true });
  },
};

/** Longer than mail waits for a wallet. */
const TOO_LONG_SECONDS = 31 * 86_400;

/** A wallet comes for its mail when that has expired, before anything has removed it. */
const registerTooLate: Command = {
  name: 'register too late',
  weight: 2,
  choose: async (world, random) => {
    const waiting = await Promise.all(world.wallets.map(async (wallet) => ({ wallet, rows: await folderOf(world, wallet, 'inbox') })));
    const late = waiting.filter(({ rows }) => rows.some(({ expiresAt }) => expiresAt !== undefined));
    if (late.length === 0) return undefined;
    const { wallet } = random.pick(late);
    world.now += TOO_LONG_SECONDS;
    world.note(`  ${TOO_LONG_SECONDS} s pass`);
    return requestDeed(world, random, { wallet, area: 'registration', method: 'POST', route: '/api/register', body: {} }, { hasKey: true });
  },
};

const addAlias: Command = {
  name: 'add alias',
  weight: 2,
  choose: async (world, random) => {
    const wallet = someAgent(world, random);
    const body = { basename: nameFor(world, random, wallet) };
    return requestDeed(
      world,
      random,
      { wallet, area: 'aliases', method: 'POST', route: '/api/aliases', body },
      { hasKey: true, about: body.basename },
    );
  },
};

const removeAlias: Command = {
  name: 'remove alias',
  weight: 1,
  choose: async (world, random) => {
    const wallet = someAgent(world, random);
    const params = { handle: nameFor(world, random, wallet) };
    return requestDeed(
      world,
      random,
      { wallet, area: 'aliases', method: 'DELETE', route: '/api/aliases/{handle}', params },
      { hasKey: false },
    );
  },
};

const rename = (name: string, area: 'settings' | 'registration', route: string, field: 'handle' | 'basename'): Command => ({
  name,
  weight: 1,
  choose: async (world, random) => {
    const wallet = someAgent(world, random);
    const body = { [field]: nameFor(world, random, wallet) };
    return requestDeed(world, random, { wallet, area, method: 'PUT', route, body }, { hasKey: false, about: body[field] ?? '' });
  },
});

export const accountCommands: readonly Command[] = [
  register,
  registerTooLate,
  addAlias,
  removeAlias,
  sellName,
  rename('switch primary', 'settings', '/api/settings/primary', 'handle'),
  rename('upgrade handle', 'registration', '/api/register/upgrade', 'basename'),
];

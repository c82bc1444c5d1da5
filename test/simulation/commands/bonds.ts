// What happens to legacy bonds and to whitelists.
import type { Random } from '../random.ts';
import { folderOf, someAgent, type World } from '../world/world.ts';
import { again, type Command, OVER } from './command.ts';
import { requestDeed } from './request.ts';

const HOUR = 3600;

/** A received message of another agent. */
const pickReceived = async (world: World, random: Random) => {
  const rows = (await folderOf(world, someAgent(world, random), 'inbox')).filter(({ owner, peer }) => peer !== undefined && peer !== owner);
  return rows.length === 0 ? undefined : random.pick(rows);
};

/** The operator imports a bond on a message, and repeats what failed; an import that comes twice changes nothing. */
const importBond: Command = {
  name: 'import bond',
  weight: 4,
  choose: async (world, random) => {
    const row = await pickReceived(world, random);
    if (!row) return undefined;
    const window = random.pick([-HOUR, 2 * HOUR, 24 * HOUR]);
    const line = {
      email_id: row.id,
      recipient: row.owner,
      sender: row.peer,
      amount_usdc: '0.5',
      deadline: world.now + window,
      created_at: row.createdAt,
    };
    return {
      label: `import of a bond on ${row.subject}`,
      isRepeated: true,
      run: async () => {
        const { imported, refused } = await world.functions.onBondsImported({ bonds: random.chance(0.3) ? [line, line] : [line] });
        world.note(`  bond on ${row.subject} → ${imported} imported, ${refused.map(({ error }) => error).join(', ') || 'none'} refused`);
        return refused.some(({ error }) => error === 'try_again') ? again() : OVER;
      },
    };
  },
};

const answerBond: Command = {
  name: 'answer bond',
  weight: 3,
  choose: async (world, random) => {
    const rows = (await folderOf(world, someAgent(world, random), 'inbox')).filter(({ bond }) => bond !== undefined);
    if (rows.length === 0) return undefined;
    const row = random.pick(rows);
    const request = {
      wallet: row.owner,
      area: 'attention',
      method: 'POST',
      route: '/api/attention/reply/{email_id}',
      params: { email_id: row.id },
    } as const;
    return requestDeed(world, random, request, { hasKey: true, about: row.subject });
  },
};

const listBonds: Command = {
  name: 'list bonds',
  weight: 2,
  choose: async (world, random) =>
    requestDeed(
      world,
      random,
      { wallet: someAgent(world, random), area: 'attention', method: 'GET', route: '/api/attention/my-bonds' },
      { hasKey: false },
    ),
};

const letThrough: Command = {
  name: 'whitelist',
  weight: 1,
  choose: async (world, random) => {
    const body = { sender_wallet: random.pick(world.wallets) };
    return requestDeed(
      world,
      random,
      { wallet: someAgent(world, random), area: 'attention', method: 'POST', route: '/api/attention/whitelist', body },
      { hasKey: true },
    );
  },
};

const letThroughNoMore: Command = {
  name: 'remove from whitelist',
  weight: 1,
  choose: async (world, random) => {
    const params = { sender: random.pick(world.wallets) };
    const request = {
      wallet: someAgent(world, random),
      area: 'attention',
      method: 'DELETE',
      route: '/api/attention/whitelist/{sender}',
      params,
    } as const;
    return requestDeed(world, random, request, { hasKey: false });
  },
};

export const bondCommands: readonly Command[] = [importBond, answerBond, listBonds, letThrough, letThroughNoMore];

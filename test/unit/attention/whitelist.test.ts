// Who is meant by a name on the whitelist: the label, the full name and the wallet lead to one entry.
import { describe, expect, it } from 'vitest';
import { parseLabel } from '#adapters/evm/label.ts';
import { addToWhitelist, removeFromWhitelist, type WhitelistPorts } from '#domain/attention/whitelist.ts';
import { ok } from '#domain/errors.ts';
import type { Account } from '#domain/identity/account.ts';
import type { WhitelistEntry } from '#domain/ports/attention.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemIds } from '#runtime/ids.ts';

const wallet = (digit: string): Wallet => `0x${digit.repeat(40)}`;
const [ALICE, BOB] = [wallet('a'), wallet('b')];
const accountOf = (owner: Wallet) => ({ wallet: owner }) as Account;

/** Alice's whitelist, in a service where Bob is known as `bob`. */
const openWorld = (entries: WhitelistEntry[] = []) => {
  const ports: WhitelistPorts = {
    accounts: { byWallet: async (owner) => accountOf(owner) },
    handles: { ownerOf: async (handle) => (handle === 'bob' ? { wallet: BOB, role: 'handle' } : undefined) },
    names: { parseLabel },
    whitelist: { list: async () => entries },
    committer: {
      commit: async (changes) => {
        for (const change of changes) {
          if (change.kind === 'whitelist.put') entries.push(change.entry);
          if (change.kind === 'whitelist.remove') entries.splice(0);
        }
        return ok(undefined);
      },
    },
    ids: systemIds,
  };
  const add = (senderHandle: string, senderWallet?: Wallet) =>
    addToWhitelist(ports, {
      owner: accountOf(ALICE),
      senderHandle,
      senderWallet,
      note: undefined,
      now: 1_800_000_000,
      commitReply: async () => [],
    });
  return { entries, add, remove: (sender: string) => removeFromWhitelist(ports, accountOf(ALICE), sender) };
};

describe('the whitelist', () => {
  it.each(['bob', 'bob.base.eth'])('default: %s is Bob, put on and taken off', async (name) => {
    const { add, remove, entries } = openWorld();

    expect(await add(name)).toMatchObject({ ok: true, value: { wallet: BOB, handle: 'bob' } });
    expect(await remove(name)).toMatchObject({ ok: true });
    expect(entries).toStrictEqual([]);
  });

  it('error: the full name of someone else than the wallet beside it is refused, an unknown one is not found', async () => {
    const { add, remove } = openWorld();

    expect(await add('bob.base.eth', ALICE)).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(await add('carol.base.eth')).toMatchObject({ ok: false, code: 'not_found' });
    expect(await remove('carol.base.eth')).toMatchObject({ ok: false, code: 'not_found' });
  });

  it('behavior: an entry that was stored under its full name is found by it', async () => {
    const { entries, remove } = openWorld([{ id: '1', wallet: BOB, handle: 'carol.base.eth', note: null, createdAt: 1 }]);

    expect(await remove('carol.base.eth')).toMatchObject({ ok: true });
    expect(entries).toStrictEqual([]);
  });
});

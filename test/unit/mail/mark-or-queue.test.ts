// Marking that runs out of time: the answer says so, and the rest is in the queue before it is given.
import { describe, expect, it } from 'vitest';
import { ok } from '#domain/errors.ts';
import { type Account, NO_MAIL } from '#domain/identity/account.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import { markOrQueue } from '#domain/mail/mark-or-queue.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { UnfinishedMarking } from '#domain/ports/mail.ts';
import type { Mailboxes } from '#domain/ports/stores.ts';
import { lastIdAt } from '#domain/values/id.ts';
import { systemIds } from '#runtime/ids.ts';

const NOW = 1_795_000_000;
const WALLET = `0x${'1'.repeat(40)}` as const;
const owner = { wallet: WALLET, mail: NO_MAIL } as unknown as Account;

const rowOf = (id: string): MailRow => ({
  owner: WALLET,
  id,
  folder: 'inbox',
  fromAddress: 'a@example.com',
  toAddress: 'b@example.com',
  subject: '',
  snippet: '',
  sizeBytes: 1,
  isRead: false,
  createdAt: NOW,
  attachmentCount: 0,
  thread: { id },
});

/** A mailbox in memory, time for so many looks at the clock, and the changes and messages that were made. */
const setup = (count: number, looks: number) => {
  const unread = new Map(Array.from({ length: count }, () => systemIds.next(NOW)).map((id) => [id, rowOf(id)]));
  const commits: (readonly Change[])[] = [];
  const queued: UnfinishedMarking[] = [];
  let left = looks;
  const mailboxes = {
    byId: async (_owner: string, id: string) => unread.get(id),
    unread: async ({ limit }: { limit: number }) => [...unread.values()].slice(0, limit),
  } as unknown as Mailboxes;
  const commit = async (changes: readonly Change[]) => {
    commits.push(changes);
    for (const change of changes) if (change.kind === 'mail.read') unread.delete(change.row.id);
    return ok(undefined);
  };
  const ports = {
    mailboxes,
    committer: { commit },
    accounts: { byWallet: async () => owner },
    ids: systemIds,
    unfinished: { put: async (marking: UnfinishedMarking) => void queued.push(marking) },
  };
  const hasTime = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  return { ports, marking: { owner, now: NOW, hasTime }, unread, commits, queued };
};

describe('marking a folder', () => {
  const folder = { folder: 'inbox', upTo: lastIdAt(NOW * 1000 + 999) } as const;

  it('default: takes thirty to a transaction and ends', async () => {
    const { ports, marking, unread, commits, queued } = setup(65, 100);

    expect(await markOrQueue(ports, marking, folder)).toBe(true);
    expect(commits.map((changes) => changes.filter(({ kind }) => kind === 'mail.read').length)).toEqual([30, 30, 5]);
    expect([unread.size, queued.length]).toEqual([0, 0]);
  });

  it('behavior: what there is no time for is queued', async () => {
    const { ports, marking, unread, queued } = setup(65, 2);

    expect(await markOrQueue(ports, marking, folder)).toBe(false);
    expect(unread.size).toBe(35);
    expect(queued).toEqual([{ kind: 'folder', wallet: WALLET, ...folder }]);
  });
});

describe('marking ids', () => {
  it('behavior: ids that there is no time for are queued, each once', async () => {
    const { ports, marking, unread, queued } = setup(65, 2);
    const ids = [...unread.keys()];

    expect(await markOrQueue(ports, marking, { ids: [...ids, ...ids] })).toBe(false);
    expect(queued).toEqual([{ kind: 'ids', wallet: WALLET, ids: ids.slice(30) }]);
  });
});

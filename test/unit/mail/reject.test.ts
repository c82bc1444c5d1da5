// What a `Reject` gives back: the credit that was spent on the message, once, whatever became of the sender's copy.
import { describe, expect, it } from 'vitest';
import { fail, ok } from '#domain/errors.ts';
import { followDelivery, type FollowPorts } from '#domain/mail/follow-delivery.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import type { Change } from '#domain/ports/changes.ts';
import { sha256Hex, systemIds } from '#runtime/ids.ts';

const WALLET = `0x${'1'.repeat(40)}` as const;
const NOW = 1_800_000_000;
const EMAIL_ID = systemIds.next(NOW);

const SENT: MailRow = {
  owner: WALLET,
  id: EMAIL_ID,
  folder: 'sent',
  fromAddress: 'a@agents.example',
  toAddress: 'p@elsewhere.example',
  subject: 's',
  snippet: '',
  sizeBytes: 1,
  isRead: true,
  createdAt: NOW,
  attachmentCount: 0,
  thread: { id: EMAIL_ID },
  delivery: 'sent',
};

interface World {
  readonly row?: MailRow;
  readonly isCharged?: boolean;
  readonly isRefunded?: boolean;
}

/** What is committed on a `Reject` that finds the outbox empty. */
const changesOn = async (world: World): Promise<readonly Change[]> => {
  const committed: Change[] = [];
  const commit = async (changes: readonly Change[]) => {
    if (changes.some(({ kind }) => kind === 'outbox.settle')) return fail('not_found');
    if (changes.some(({ kind }) => kind === 'refund.mark') && world.isRefunded) return fail('already_claimed');
    committed.push(...changes);
    return ok(undefined);
  };
  const ports = {
    ids: systemIds,
    digests: { sha256Hex },
    mailboxes: { byId: async () => world.row },
    ledger: { row: async () => (world.isCharged ? {} : undefined) },
    standings: {},
    committer: { commit },
  } as unknown as FollowPorts;
  const message = { wallet: WALLET, emailId: EMAIL_ID, wireId: 'w', to: 'p@elsewhere.example' };
  expect(await followDelivery(ports, { ...message, type: 'Reject', isPermanent: false, now: NOW })).toEqual(ok(undefined));
  return committed;
};

const MARK = expect.objectContaining({ kind: 'refund.mark', emailId: EMAIL_ID });
const REFUND = expect.objectContaining({
  kind: 'movement',
  movement: expect.objectContaining({ type: 'refund', credit: WALLET, amount: 1n }),
});
const FAILED = expect.objectContaining({ kind: 'mail.delivery', to: 'failed' });

describe('a Reject', () => {
  it('default: gives the credit back and says failed', async () => {
    expect(await changesOn({ row: SENT, isCharged: true })).toEqual(expect.arrayContaining([REFUND, FAILED]));
  });

  it('behavior: gives it back to a sender who deleted the copy meanwhile', async () => {
    expect(await changesOn({ isCharged: true })).toEqual([MARK, REFUND]);
  });

  it('behavior: gives nothing for mail that was free, with or without a copy', async () => {
    const { delivery: _, ...free } = SENT;

    expect(await changesOn({})).toEqual([]);
    expect(await changesOn({ row: free })).toEqual([]);
  });

  it('behavior: that comes again after a late Send moved the copy on says failed, and pays nothing twice', async () => {
    const changes = await changesOn({ row: SENT, isCharged: true, isRefunded: true });

    expect(changes).toEqual(expect.arrayContaining([FAILED]));
    expect(changes).not.toContainEqual(REFUND);
  });
});

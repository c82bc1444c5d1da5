// A `Reject` that comes again after the credit went back, with a late `Send` in between.
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

/** A ledger that has the refund already, and an outbox that is empty. */
const portsAfterRefund = (committed: (readonly Change[])[]): FollowPorts =>
  ({
    ids: systemIds,
    digests: { sha256Hex },
    mailboxes: { byId: async () => SENT },
    standings: {},
    committer: {
      commit: async (changes: readonly Change[]) => {
        if (changes.some(({ kind }) => kind === 'outbox.settle')) return fail('not_found');
        for (const change of changes) if (change.kind === 'movement') return change.repeated ?? fail('try_again');
        committed.push(changes);
        return ok(undefined);
      },
    },
  }) as unknown as FollowPorts;

describe('a repeated Reject', () => {
  it('is done with: the row says failed, and nothing is paid back twice', async () => {
    const committed: (readonly Change[])[] = [];
    const event = {
      type: 'Reject',
      wallet: WALLET,
      emailId: EMAIL_ID,
      wireId: 'w',
      to: 'p@elsewhere.example',
      isPermanent: false,
      now: NOW,
    } as const;
    const followed = await followDelivery(portsAfterRefund(committed), event);
    expect(followed).toEqual(ok(undefined));
    expect(committed.flat()).toContainEqual(expect.objectContaining({ kind: 'mail.delivery', to: 'failed' }));
    expect(committed.flat().some(({ kind }) => kind === 'movement')).toBe(false);
  });
});

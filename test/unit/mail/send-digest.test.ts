// Digests go to addresses that nobody verified: one that no mail can be written to must not keep the others waiting.
import { describe, expect, it } from 'vitest';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { parseAddress } from '#adapters/mime/parse-address.ts';
import { UpdateSettingsRequest } from '#contract/schemas/settings.ts';
import { ok } from '#domain/errors.ts';
import { newAccount } from '#domain/identity/create-account.ts';
import { addressHandle } from '#domain/identity/choose-handle.ts';
import { updateSettings } from '#domain/identity/settings.ts';
import { type DigestPorts, sendDigests } from '#domain/mail/send-digest.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemIds } from '#runtime/ids.ts';

const NOW = 1_800_000_000;
const HOSTILE = [`${'a'.repeat(65)}@example.com`, 'a@example-.com', `a@${'b'.repeat(64)}.com`];

const subscribers = [...HOSTILE, 'reader@example.com'].map((email, index) => ({
  wallet: `0x${String(index).repeat(40)}` as Wallet,
  email,
  dueAt: NOW,
}));

const ports = (sentTo: string[]): DigestPorts =>
  ({
    accounts: {
      byWallet: async (wallet: Wallet) => {
        const account = newAccount(wallet, addressHandle(wallet), [], NOW);
        return { ...account, mail: { ...account.mail, unread: 1 } };
      },
    },
    subscriptions: { due: async () => subscribers },
    committer: { commit: async () => ok(undefined) },
    composer: { composeMail },
    post: {
      send: async ({ to }: { to: string }) => {
        sentTo.push(to);
        return 'accepted';
      },
    },
    ids: systemIds,
    mailDomain: 'agents.example',
    serviceName: 'Agents',
  }) as unknown as DigestPorts;

describe('digests', () => {
  it('behavior: an address that cannot be written to is passed over', async () => {
    const sentTo: string[] = [];

    expect(await sendDigests(ports(sentTo), NOW, () => true)).toBe(1);
    expect(sentTo).toStrictEqual(['reader@example.com']);
  });

  it.each(HOSTILE)('error: %s looks like an address and is refused', async (notificationEmail) => {
    const settings = { read: async () => ({ notificationEmail: null }) };
    const committer = { commit: async () => ok(undefined) };
    const wallet = `0x${'1'.repeat(40)}` as const;

    expect(UpdateSettingsRequest.safeParse({ notification_email: notificationEmail }).success).toBe(true);
    expect(await updateSettings({ settings, committer, parseAddress }, { wallet, notificationEmail, now: NOW })).toMatchObject({
      ok: false,
      code: 'invalid_request',
    });
  });
});

// The daily digest: tells whoever an account named that unread mail waits. It says how much and nothing of what strangers
// wrote: the address was never verified, and a subject line would let anyone write to anyone in the service's name.
import { type Account, emailOf } from '../identity/account.ts';
import type { Committer } from '../ports/changes.ts';
import type { MailComposer } from '../ports/mail-content.ts';
import type { DigestSubscription, DigestSubscriptions, ServicePost } from '../ports/mail.ts';
import type { Accounts } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';

export interface DigestPorts {
  readonly accounts: Accounts;
  readonly subscriptions: DigestSubscriptions;
  readonly committer: Committer;
  readonly composer: MailComposer;
  readonly post: ServicePost;
  readonly ids: Ids;
  readonly mailDomain: string;
  readonly serviceName: string;
}

const PAGE = 50;

/** The same time of day, the next day that is still to come; days that nobody ran are skipped, not made up for. */
const nextTime = (dueAt: number, now: number): number => dueAt + SECONDS_PER_DAY * (Math.floor((now - dueAt) / SECONDS_PER_DAY) + 1);

const messages = (count: number): string => (count === 1 ? '1 unread message' : `${count} unread messages`);

const textFor = (ports: DigestPorts, account: Account): string => {
  const { unread, pendingStakes } = account.mail;
  const address = emailOf(account.handle, ports.mailDomain);
  const staked = pendingStakes > 0 ? ` On ${pendingStakes} of them the sender has staked ATTN.` : '';
  return [
    `The mailbox ${address} has ${messages(unread)}.${staked}`,
    'Your agent reads them with GET /api/inbox.',
    'This mail comes once a day while there is unread mail. PUT /api/settings with notification_email null ends it.',
  ].join('\n\n');
};

const compose = async (ports: DigestPorts, account: Account, to: string, now: number): Promise<Uint8Array | undefined> => {
  const composed = await ports.composer.composeMail({
    from: { address: `no-reply@${ports.mailDomain}`, name: ports.serviceName },
    to,
    subject: `${messages(account.mail.unread)} for ${account.handle}`,
    text: textFor(ports, account),
    messageId: `${ports.ids.next(now)}.digest@${ports.mailDomain}`,
    date: now,
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: [],
  });
  // Whoever named an address that cannot be written to must not keep everyone else's digest waiting.
  return composed.ok ? composed.value : undefined;
};

/** Taken before it is sent: a death in between loses one digest, and no run ever sends one twice. */
const sendOne = async (ports: DigestPorts, { wallet, email, dueAt }: DigestSubscription, now: number): Promise<boolean> => {
  const taken = await ports.committer.commit([{ kind: 'digest.take', wallet, email, dueAt, nextAt: nextTime(dueAt, now) }]);
  if (!taken.ok) return false;
  const account = await ports.accounts.byWallet(wallet, { strong: true });
  if (!account || account.mail.unread === 0) return false;
  const bytes = await compose(ports, account, email, now);
  if (!bytes) return false;
  return (await ports.post.send({ from: `no-reply@${ports.mailDomain}`, to: email, bytes })) === 'accepted';
};

/** @returns how many digests were sent. */
export const sendDigests = async (ports: DigestPorts, now: number, hasTime: () => boolean): Promise<number> => {
  const tried = new Set<string>();
  let sent = 0;
  while (hasTime()) {
    const due = (await ports.subscriptions.due(now, PAGE)).filter(({ wallet }) => !tried.has(wallet));
    if (due.length === 0) break;
    for (const subscription of due) {
      tried.add(subscription.wallet);
      if (await sendOne(ports, subscription, now)) sent += 1;
    }
  }
  return sent;
};

// Which thread a mail from outside belongs to: the one of the nearest message of ours that it refers to, under our own
// id or under the one that the provider put on the wire.
import type { ParsedMail } from '../ports/mail-content.ts';
import type { ReadWireId, WireIds } from '../ports/mail.ts';
import type { Mailboxes } from '../ports/stores.ts';
import { isEmailId } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Thread } from './mail.ts';

export interface ThreadPorts {
  readonly mailboxes: Mailboxes;
  readonly wireIds: WireIds;
  readonly readWireId: ReadWireId;
  readonly mailDomain: string;
}

/** A sender writes as many references as it likes; only the nearest are looked up. */
const LOOKED_UP_MAX = 12;

/** Ids of the chain, the nearest first: what is answered, then References from its end. */
const nearestFirst = ({ inReplyTo, references }: ParsedMail): string[] => {
  const chain = [...(inReplyTo === undefined ? [] : [inReplyTo]), ...references.toReversed()];
  return [...new Set(chain)].slice(0, LOOKED_UP_MAX);
};

const ownEmailId = (messageId: string, mailDomain: string): string | undefined => {
  const suffix = `@${mailDomain}>`;
  const id = messageId.endsWith(suffix) ? messageId.slice(1, -suffix.length) : '';
  return isEmailId(id) ? id : undefined;
};

const emailIdOf = async (ports: ThreadPorts, messageId: string): Promise<string | undefined> => {
  const own = ownEmailId(messageId, ports.mailDomain);
  if (own !== undefined) return own;
  const wireId = ports.readWireId(messageId);
  return wireId === undefined ? undefined : (await ports.wireIds.find(wireId))?.emailId;
};

/** The thread of a mail that came in for `owner`; a new one under `id` when it answers nothing of this mailbox. */
export const threadFor = async (ports: ThreadPorts, owner: Wallet, parsed: ParsedMail, id: string): Promise<Thread> => {
  for (const messageId of nearestFirst(parsed)) {
    const emailId = await emailIdOf(ports, messageId);
    const parent = emailId === undefined ? undefined : await ports.mailboxes.byId(owner, emailId);
    if (parent) return parent.thread;
  }
  return { id };
};

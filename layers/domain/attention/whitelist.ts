// Whom an account lets through without a price. Entries stand under the sender's wallet, so that a change of handle
// neither lets anyone in nor keeps anyone out.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { findByHandle, type LookUpPorts } from '../identity/look-up.ts';
import type { Whitelist, WhitelistEntry } from '../ports/attention.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Names } from '../ports/wallets.ts';
import type { Ids } from '../values/id.ts';
import { parseWallet, type Wallet } from '../values/wallet.ts';

/** Far more than an agent can know by name; without a bound one credential could fill its partition. */
export const WHITELIST_ENTRIES_MAX = 500;

export interface NamedSenderPorts extends LookUpPorts {
  readonly names: Pick<Names, 'parseLabel'>;
}

export interface WhitelistPorts extends NamedSenderPorts {
  readonly whitelist: Whitelist;
  readonly committer: Committer;
  readonly ids: Ids;
}

export interface WhitelistRequest {
  readonly owner: Account;
  readonly senderHandle: string | undefined;
  readonly senderWallet: Wallet | undefined;
  readonly note: string | undefined;
  readonly now: number;
  readonly commitReply: (entry: WhitelistEntry) => Promise<Change[]>;
}

/** The handle that a name stands for: `alice.base.eth` is `alice` here. */
const handleMeant = ({ names }: Pick<NamedSenderPorts, 'names'>, name: string): string => names.parseLabel(name) ?? name;

/** The wallet that is meant. A handle that is unknown needs its wallet beside it; one of someone else is refused. */
const walletMeant = async (ports: LookUpPorts, { senderHandle, senderWallet }: WhitelistRequest): Promise<Outcome<Wallet>> => {
  if (senderHandle === undefined) return senderWallet ? ok(senderWallet) : fail('invalid_request');
  const known = parseWallet(senderHandle) ?? (await findByHandle(ports, senderHandle))?.wallet;
  if (known && senderWallet && known !== senderWallet) {
    return fail('invalid_request', { message: 'sender_handle belongs to another wallet than sender_wallet' });
  }
  const wallet = known ?? senderWallet;
  return wallet ? ok(wallet) : notFound('Handle');
};

/** Lets a sender through; naming one again changes its note. `limit_reached` beyond 500 entries. */
export const addToWhitelist = async (ports: WhitelistPorts, request: WhitelistRequest): Promise<Outcome<WhitelistEntry>> => {
  const { owner, note, now } = request;
  const senderHandle = request.senderHandle === undefined ? undefined : handleMeant(ports, request.senderHandle);
  const wallet = await walletMeant(ports, { ...request, senderHandle });
  if (!wallet.ok) return wallet;
  const entries = await ports.whitelist.list(owner.wallet);
  const existing = entries.find((entry) => entry.wallet === wallet.value);
  if (!existing && entries.length >= WHITELIST_ENTRIES_MAX) {
    return fail('limit_reached', { message: `A whitelist may have ${WHITELIST_ENTRIES_MAX} entries` });
  }
  const entry: WhitelistEntry = {
    id: existing?.id ?? ports.ids.next(now),
    wallet: wallet.value,
    handle: senderHandle ?? existing?.handle ?? null,
    note: note ?? existing?.note ?? null,
    createdAt: existing?.createdAt ?? now,
  };
  const committed = await ports.committer.commit([
    { kind: 'whitelist.put', owner: owner.wallet, entry },
    ...(await request.commitReply(entry)),
  ]);
  return committed.ok ? ok(entry) : committed;
};

/** Takes a sender off, named as it may be put on; one that is not listed is 404. */
export const removeFromWhitelist = async (ports: WhitelistPorts, owner: Account, sender: string): Promise<Outcome<void>> => {
  const entries = await ports.whitelist.list(owner.wallet);
  const handle = handleMeant(ports, sender);
  const named = entries.find((entry) => entry.wallet === sender || entry.handle === sender || entry.handle === handle);
  const wallet = named?.wallet ?? (await findByHandle(ports, handle))?.wallet;
  if (!wallet || !entries.some((entry) => entry.wallet === wallet)) return notFound('Whitelist entry');
  return ports.committer.commit([{ kind: 'whitelist.remove', owner: owner.wallet, sender: wallet }]);
};

// The only place that builds a key. One line an entity: what it is, where it stands, who reads it.
//
// | entity            | PK               | SK              | indexes            | read by                          |
// |-------------------|------------------|-----------------|--------------------|----------------------------------|
// | account           | A#<wallet>       | A               |                    | every authenticated request      |
// | pending mailbox   | A#<wallet>       | P               |                    | registration                     |
// | ledger row        | A#<wallet>       | T#<asset>#<id>  |                    | attn history, credits history    |
// | api key           | A#<wallet>       | K#<id>          |                    | keys/list, keys/revoke           |
// | alias             | A#<wallet>       | L#<handle>      |                    | aliases, send                    |
// | whitelist entry   | A#<wallet>       | W#<sender>      |                    | send, prices                     |
// | bond              | A#<wallet>       | B#<email id>    | due                | attention                        |
// | attention config  | A#<wallet>       | C               |                    | attention                        |
// | pair counts       | A#<recipient>    | R#<sender>      |                    | send, prices                     |
// | wave claim        | A#<wallet>       | J#<wave>        |                    | airdrop                          |
// | wave rank         | WV#<wave>        | <amount>#<time>#<wallet> |           | airdrop leaderboard              |
// | outbox entry      | A#<wallet>       | O#<email id>    | due                | outbox sweep, SES events         |
// | credit given back | A#<wallet>       | F#<email id>    |                    | send, outbox sweep, SES events   |
// | suppression       | A#<wallet>       | X#<address>     |                    | send                             |
// | standing          | A#<wallet>       | Q               |                    | external send, bounces           |
// | upload            | A#<wallet>       | U#<id>          |                    | send                             |
// | digest            | A#<wallet>       | D               | due                | on-digest-due                    |
// | mail row          | M#<wallet>       | E#<id>          | order unread bonded due | mailbox                     |
// | attachments       | M#<wallet>       | P#<id>          |                    | email detail, attachment         |
// | handle or alias   | H#<name>         | H               |                    | every look-up of an address      |
// | api key by hash   | K#<sha256>       | K               |                    | authentication                   |
// | refresh token     | R#<sha256>       | R               |                    | auth/refresh                     |
// | nonce             | N#<nonce>        | N               |                    | sign-in                          |
// | redeemed payment  | X#<tx hash>      | X               | due                | payments                         |
// | proof of human    | A#<wallet>       | Y               |                    | world-id, identity               |
// | nullifier         | WN#<nullifier>   | WN              |                    | world-id/verify                  |
// | World ID nonce    | WO#<nonce>       | WO              |                    | world-id/verify                  |
// | pro purchase      | A#<wallet>       | V               |                    | pro/buy                          |
// | paid call         | A#<wallet>       | Z#<scope>#<id>  |                    | calls paid by MPP                |
// | used credential   | PC#<hash>        | PC              |                    | calls paid by MPP                |
// | idempotency       | I#<sha256>       | I               |                    | idempotent POSTs                 |
// | inbound seen      | S#<sha256>       | S               |                    | on-mail-received                 |
// | wire id           | Y#<wire id>      | Y               |                    | on-mail-received                 |
// | rate window       | L#<scope>#<key>#<bucket> | L       |                    | limited operations               |
// | counted event     | C#<event id>     | C               |                    | on-mailbox-change                |
// | name purchase     | A#<wallet>       | N               | due                | register, upgrade                |
// | nonce lane        | NL#<chain>       | NL              |                    | sponsored purchases              |
// | name on chain     | NT#<token>       | NT              |                    | basenames                        |
// | name of a wallet  | NO#<wallet>      | <token>         |                    | basenames                        |
// | name event cursor | NC#<chain>       | NC              |                    | on-names-due                     |
// | directory entry   | AG               | <time>#<wallet> |                    | agents/list                      |
// | webhook           | V#<wallet>       | W#<id>          | due (failing)      | webhooks, on-mailbox-change, on-delivery-* |
// | webhook count     | V#<wallet>       | N               |                    | webhooks                         |
// | delivery          | V#<wallet>       | D#<webhook>#<id> | due               | deliveries, on-delivery-*, on-retries-due |
// | statistic shard   | ST#<name>        | <shard>         |                    | identity stats, stats            |
import type { Asset } from '#domain/ledger/movements.ts';
import type { Folder } from '#domain/mail/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';

export interface Key {
  readonly PK: string;
  readonly SK: string;
}

const single = (letter: string, name: string): Key => ({ PK: `${letter}#${name}`, SK: letter });
const ofAccount = (wallet: Wallet, SK: string): Key => ({ PK: `A#${wallet}`, SK });
const ofMailbox = (wallet: Wallet, SK: string): Key => ({ PK: `M#${wallet}`, SK });

/** One partition: an entry is written once in an account's life, or twice, and read 500 at a time. */
export const DIRECTORY_PARTITION = 'AG';

export const keys = {
  account: (wallet: Wallet): Key => ofAccount(wallet, 'A'),
  pendingMailbox: (wallet: Wallet): Key => ofAccount(wallet, 'P'),
  ledgerRow: (wallet: Wallet, asset: Asset, id: string): Key => ofAccount(wallet, `T#${asset}#${id}`),
  apiKey: (wallet: Wallet, id: string): Key => ofAccount(wallet, `K#${id}`),
  alias: (wallet: Wallet, handle: string): Key => ofAccount(wallet, `L#${handle}`),
  whitelistEntry: (wallet: Wallet, sender: string): Key => ofAccount(wallet, `W#${sender}`),
  suppression: (wallet: Wallet, address: string): Key => ofAccount(wallet, `X#${address}`),
  standing: (wallet: Wallet): Key => ofAccount(wallet, 'Q'),
  upload: (wallet: Wallet, id: string): Key => ofAccount(wallet, `U#${id}`),
  digest: (wallet: Wallet): Key => ofAccount(wallet, 'D'),
  attentionConfig: (wallet: Wallet): Key => ofAccount(wallet, 'C'),
  pair: (recipient: Wallet, sender: Wallet): Key => ofAccount(recipient, `R#${sender}`),
  bond: (wallet: Wallet, emailId: string): Key => ofAccount(wallet, `B#${emailId}`),
  waveClaim: (wallet: Wallet, waveId: string): Key => ofAccount(wallet, `J#${waveId}`),
  /** Ranks descend: the larger amount first, and of equal ones the earlier. */
  waveRank: (claim: { readonly waveId: string; readonly amount: bigint; readonly at: number; readonly wallet: Wallet }): Key => ({
    PK: wavePartition(claim.waveId),
    SK: `${String(claim.amount).padStart(10, '0')}#${String(LAST_SECOND - claim.at).padStart(10, '0')}#${claim.wallet}`,
  }),
  outboxEntry: (wallet: Wallet, emailId: string): Key => ofAccount(wallet, `O#${emailId}`),
  refund: (wallet: Wallet, emailId: string): Key => ofAccount(wallet, `F#${emailId}`),
  purchase: (wallet: Wallet): Key => ofAccount(wallet, 'N'),
  mail: (owner: Wallet, id: string): Key => ofMailbox(owner, `E#${id}`),
  attachments: (owner: Wallet, id: string): Key => ofMailbox(owner, `P#${id}`),
  humanProof: (wallet: Wallet): Key => ofAccount(wallet, 'Y'),
  nullifier: (nullifier: string): Key => single('WN', nullifier),
  worldIdNonce: (nonce: string): Key => single('WO', nonce),
  proPurchase: (wallet: Wallet): Key => ofAccount(wallet, 'V'),
  entitlement: (paid: { readonly wallet: Wallet; readonly scope: string; readonly id: string }): Key =>
    ofAccount(paid.wallet, `Z#${paid.scope}#${paid.id}`),
  usedCredential: (hash: string): Key => single('PC', hash),
  payment: (hash: string): Key => single('X', hash),
  handle: (name: string): Key => single('H', name),
  apiKeyByHash: (sha256: string): Key => single('K', sha256),
  refreshToken: (sha256: string): Key => single('R', sha256),
  nonce: (nonce: string): Key => single('N', nonce),
  idempotency: (sha256: string): Key => single('I', sha256),
  inboundSeen: (sha256: string): Key => single('S', sha256),
  wireId: (wireId: string): Key => single('Y', wireId),
  rateWindow: (scope: string, key: string, bucket: number): Key => single('L', `${scope}#${key}#${bucket}`),
  countedEvent: (eventId: string): Key => single('C', eventId),
  nonceLane: (chainId: number): Key => single('NL', String(chainId)),
  nameOnChain: (token: string): Key => single('NT', token),
  nameOfWallet: (wallet: Wallet, token: string): Key => ({ PK: `NO#${wallet}`, SK: token }),
  nameCursor: (chainId: number): Key => single('NC', String(chainId)),
  directoryEntry: (registeredAt: number, wallet: Wallet): Key => ({
    PK: DIRECTORY_PARTITION,
    SK: `${String(registeredAt).padStart(12, '0')}#${wallet}`,
  }),
  webhook: (wallet: Wallet, id: string): Key => ({ PK: `V#${wallet}`, SK: `W#${id}` }),
  webhookCount: (wallet: Wallet): Key => ({ PK: `V#${wallet}`, SK: 'N' }),
  delivery: (wallet: Wallet, webhookId: string, id: string): Key => ({ PK: `V#${wallet}`, SK: `D#${webhookId}#${id}` }),
  statistic: (name: string, shard: number): Key => ({ PK: `ST#${name}`, SK: String(shard) }),
} as const;

/** Beyond every time that can be; times are subtracted from it to sort backwards. */
const LAST_SECOND = 9_999_999_999;

/** Prefixes for queries over one partition. */
export const prefixes = {
  ledger: (asset: Asset): string => `T#${asset}#`,
  apiKeys: 'K#',
  aliases: 'L#',
  bonds: 'B#',
  waveClaims: 'J#',
  whitelist: 'W#',
  mails: 'E#',
  webhooks: 'W#',
  deliveries: (webhookId: string): string => `D#${webhookId}#`,
  entitlements: (scope: string): string => `Z#${scope}#`,
} as const;

export const accountPartition = (wallet: Wallet): string => `A#${wallet}`;
export const mailPartition = (wallet: Wallet): string => `M#${wallet}`;
export const walletNamesPartition = (wallet: Wallet): string => `NO#${wallet}`;
/** Webhooks and their log have a partition of their own: the functions that call strangers may touch no other. */
export const webhookPartition = (wallet: Wallet): string => `V#${wallet}`;
export const wavePartition = (waveId: string): string => `WV#${waveId}`;
export const statisticPartition = (name: string): string => `ST#${name}`;

const FOLDER_LETTER: Readonly<Record<Folder, string>> = { inbox: 'i', sent: 's', quarantine: 'q' };

export const folderPrefix = (folder: Folder): string => FOLDER_LETTER[folder];

/** Sort key of the order index: staked and unread first (band 1), then by time. */
export const orderKey = (folder: Folder, isFloating: boolean, id: string): string =>
  `${FOLDER_LETTER[folder]}${isFloating ? '1' : '0'}${id}`;

/** Sort key of the unread index. */
export const unreadKey = (folder: Folder, id: string): string => `${FOLDER_LETTER[folder]}${id}`;

/** Sort key of the bonded index: the bond whose time is over first. */
export const bondedKey = (deadline: number, id: string): string => `${String(deadline).padStart(12, '0')}#${id}`;

export type DueKind = 'stake' | 'bond' | 'outbox' | 'delivery' | 'webhook' | 'purchase' | 'digest' | 'payment';

/** Partition of the due index; spread by the item's own id. */
export const dueShard = (kind: DueKind, shard: number): string => `${kind}#${shard}`;

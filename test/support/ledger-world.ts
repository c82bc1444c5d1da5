// The money-moving use cases over a real table, without the stack around them: accounts, stakes, claims, bonds and a clock.
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openDueStakes } from '#adapters/dynamo/due-stake-store.ts';
import { openLedgerStatements } from '#adapters/dynamo/ledger-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openWhitelists } from '#adapters/dynamo/sender-lists.ts';
import { type Item, openTable, type Table } from '#adapters/dynamo/table.ts';
import { claimDaily } from '#domain/attn/claim-daily.ts';
import { setReceivePrice } from '#domain/attn/set-receive-price.ts';
import type { Account } from '#domain/identity/account.ts';
import { addressHandle } from '#domain/identity/choose-handle.ts';
import { createAccount } from '#domain/identity/create-account.ts';
import { answering } from '#domain/mail/answer-mail.ts';
import { deleteMail } from '#domain/mail/delete-mail.ts';
import { expireDueStakes } from '#domain/mail/expire-due-stakes.ts';
import { listMail } from '#domain/mail/list-mail.ts';
import { NO_REPLY } from '#domain/mail/outgoing.ts';
import { markMailRead } from '#domain/mail/read-mail.ts';
import { rejectMail } from '#domain/mail/reject-mail.ts';
import { sendInternal } from '#domain/mail/send-internal.ts';
import type { Limiter, MailObjects } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemIds } from '#runtime/ids.ts';
import { type RealTable, startRealTable } from './real-table.ts';

/** Objects are no part of the money; nothing is stored. */
const NO_OBJECTS: MailObjects = {
  putRaw: async () => {},
  getRaw: async () => undefined,
  putAttachment: async () => {},
  getAttachment: async () => undefined,
  urlOf: async () => '',
  removeAll: async () => {},
};

const NO_LIMITS: Limiter = {
  take: async (limit) => ({ limit, remaining: limit.most, resetSeconds: limit.windowSeconds, isAllowed: true }),
  peek: async (limit) => ({ limit, remaining: limit.most, resetSeconds: limit.windowSeconds, isAllowed: true }),
  release: async () => {},
};

const START = Date.UTC(2026, 8, 1, 22) / 1000;

export const walletAt = (index: number): Wallet => `0x${index.toString(16).padStart(40, '0')}`;

/** One table with agents in it. */
export class LedgerWorld {
  readonly table: Table;
  readonly #server: RealTable;
  now = START;

  constructor(server: RealTable, table: Table) {
    this.#server = server;
    this.table = table;
  }

  static async start(): Promise<LedgerWorld> {
    const server = await startRealTable();
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: server.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    return new LedgerWorld(server, openTable(server.name));
  }

  /** An empty table, and the time it was at first. */
  async renew(): Promise<void> {
    this.now = START;
    await this.#server.renew();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  get ports() {
    const { table } = this;
    return {
      accounts: openAccounts(table),
      handles: openHandles(table),
      mailboxes: openMailboxes(table),
      whitelists: openWhitelists(table),
      statements: openLedgerStatements(table),
      dueStakes: openDueStakes(table),
      bonds: openBonds(table),
      committer: openCommitter(table),
      limiter: NO_LIMITS,
      objects: NO_OBJECTS,
      snippetOf: (text: string) => text,
      ids: systemIds,
    };
  }

  async register(index: number): Promise<Wallet> {
    const wallet = walletAt(index);
    const created = await createAccount(this.ports, { wallet, chosen: addressHandle(wallet), now: this.now, along: async () => [] });
    if (!created.ok) throw new Error(created.code);
    return wallet;
  }

  async account(wallet: Wallet): Promise<Account> {
    const account = await this.ports.accounts.byWallet(wallet, { strong: true });
    if (!account) throw new Error(`no account ${wallet}`);
    return account;
  }

  /** Sends a mail and gives its id; `inReplyTo` answers a mail of the sender's mailbox. */
  async send(from: Wallet, to: Wallet, inReplyTo?: string) {
    const sender = await this.account(from);
    const parent = inReplyTo === undefined ? undefined : await this.ports.mailboxes.byId(from, inReplyTo);
    const emailId = systemIds.next(this.now);
    const outgoing = {
      emailId,
      from: `${from}@agents.localhost.test`,
      draft: { to: `${to}@agents.localhost.test`, subject: 'Subject', body: 'Body', html: undefined, attachments: [] },
      reply: { ...NO_REPLY, parent, answer: answering(this.ports, from, parent, this.now) },
      bytes: new Uint8Array(100),
      attachments: [],
    };
    const sent = await sendInternal(this.ports, { sender, outgoing, now: this.now, showLimits: () => {}, commitReply: async () => [] });
    return { emailId, sent };
  }

  async read(wallet: Wallet, id: string) {
    return markMailRead(this.ports, await this.account(wallet), id, this.now);
  }

  async reject(wallet: Wallet, id: string) {
    return rejectMail(this.ports, await this.account(wallet), id, this.now);
  }

  async remove(wallet: Wallet, id: string) {
    return deleteMail(this.ports, await this.account(wallet), id, this.now);
  }

  async claim(wallet: Wallet) {
    return claimDaily(this.ports, { account: await this.account(wallet), now: this.now, commitReply: async () => [] });
  }

  setPrice(wallet: Wallet, price: number) {
    return setReceivePrice(this.ports, wallet, BigInt(price));
  }

  sweepStakes() {
    return expireDueStakes(this.ports, this.now, () => true);
  }

  async list(wallet: Wallet) {
    return listMail(this.ports, { owner: await this.account(wallet), folder: 'inbox', limit: 20, offset: 0, now: this.now });
  }

  /** Every item of the table. */
  async items(): Promise<Item[]> {
    const items: Item[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.table.client.send(
        new ScanCommand({ TableName: this.table.name, ConsistentRead: true, ExclusiveStartKey: start }),
      );
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  }
}

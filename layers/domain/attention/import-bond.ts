// Taking over a bond of the older system. Repeating an import changes nothing; a bond that contradicts the stored one is refused.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import { findByHandle, type LookUpPorts } from '../identity/look-up.ts';
import type { MailRow } from '../mail/mail.ts';
import type { Change } from '../ports/changes.ts';
import { isEmailId } from '../values/id.ts';
import { parseWallet } from '../values/wallet.ts';
import type { Bond } from './bonds.ts';
import type { BondPorts } from './end-bond.ts';

/** A line of an import; `recipient` and `sender` are handles or wallets. */
export interface LegacyBond extends Pick<Bond, 'emailId' | 'amountMicros' | 'status' | 'deadline' | 'createdAt'> {
  readonly recipient: string;
  readonly sender: string;
}

export type ImportPorts = BondPorts & LookUpPorts;
export type ImportResult = 'imported' | 'existing';

const ROUNDS_MAX = 4;

const resolve = async (ports: ImportPorts, line: LegacyBond): Promise<Outcome<Bond>> => {
  const { emailId, amountMicros, status, deadline, createdAt } = line;
  if (!isEmailId(emailId)) return fail('invalid_request', { message: 'email_id is not the id of a message' });
  const recipient = (await findByHandle(ports, line.recipient))?.wallet;
  if (!recipient) return notFound('Recipient');
  const sender = parseWallet(line.sender) ?? (await findByHandle(ports, line.sender))?.wallet;
  if (!sender) return notFound('Sender');
  if (sender === recipient) return fail('invalid_request', { message: 'sender and recipient are the same' });
  return ok({ emailId, recipient, sender, amountMicros, status, deadline, createdAt, ...(status !== 'active' && { endedAt: deadline }) });
};

/** Everything but the status, which goes on after the import. */
const isSame = (a: Bond, b: Bond): boolean =>
  a.sender === b.sender && a.amountMicros === b.amountMicros && a.deadline === b.deadline && a.createdAt === b.createdAt;

const importChanges = (bond: Bond, row: MailRow | undefined): Change[] => [
  { kind: 'bond.put', bond },
  ...(row?.folder === 'inbox'
    ? ([
        { kind: 'mail.bond', row, bond },
        { kind: 'account.change', wallet: bond.recipient, add: { bonded: bond.status === 'active' ? 1 : 0 } },
      ] as const)
    : []),
];

/** Imports one bond; its message shows it when it is still in the recipient's inbox. */
export const importBond = async (ports: ImportPorts, line: LegacyBond): Promise<Outcome<ImportResult>> => {
  const resolved = await resolve(ports, line);
  if (!resolved.ok) return resolved;
  const bond = resolved.value;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const existing = await ports.bonds.find(bond.recipient, bond.emailId);
    if (existing)
      return isSame(existing, bond)
        ? ok('existing')
        : fail('invalid_request', { message: 'another bond on this message was imported before' });
    const row = await ports.mailboxes.byId(bond.recipient, bond.emailId);
    const committed = await ports.committer.commit(importChanges(bond, row));
    if (committed.ok) return ok('imported');
    if (committed.code !== 'try_again' && committed.code !== 'not_found') return committed;
  }
  return fail('try_again');
};

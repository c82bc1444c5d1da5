// Writes of accounts: everything that one transaction does to one account becomes one update, because DynamoDB takes
// no item twice in a transaction.
import { type Failure, fail, invariant } from '#domain/errors.ts';
import { type BalanceChange, rowsOf } from '#domain/ledger/movements.ts';
import type { Change, Earning } from '#domain/ports/changes.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import {
  accountItem,
  arrivalAttribute,
  BALANCE_ATTRIBUTES,
  COUNTER_ATTRIBUTES,
  CREDIT_ROWS_ATTRIBUTE,
  EARN_ATTRIBUTES,
  FIELD_ATTRIBUTES,
} from '../account-codec.ts';
import { keys } from '../keys.ts';
import type { Item } from '../table.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;
type AccountPart = Of<'account.change'>;

/** The sum of what a transaction does to one account. */
interface AccountEffect {
  readonly wallet: Wallet;
  readonly adds: Map<string, bigint>;
  readonly sets: Map<string, unknown>;
  readonly removes: Set<string>;
  readonly expects: Map<string, unknown>;
  readonly balances: { attribute: string; least: bigint; refusal: Failure }[];
  earn?: Earning;
  refusal: Failure;
}

const RACED = fail('try_again', { retryAfterSeconds: 1 });
const NO_ACCOUNT = fail('not_found', { resource: 'Account' });

const emptyEffect = (wallet: Wallet): AccountEffect => ({
  wallet,
  adds: new Map(),
  sets: new Map(),
  removes: new Set(),
  expects: new Map(),
  balances: [],
  refusal: NO_ACCOUNT,
});

const addTo = (effect: AccountEffect, attribute: string, amount: bigint): void => {
  effect.adds.set(attribute, (effect.adds.get(attribute) ?? 0n) + amount);
};

const addChange = (effect: AccountEffect, change: AccountPart): void => {
  for (const [counter, amount] of Object.entries(change.add ?? {})) {
    addTo(effect, COUNTER_ATTRIBUTES[counter as keyof typeof COUNTER_ATTRIBUTES], BigInt(amount));
  }
  for (const [field, value] of Object.entries(change.set ?? {})) {
    effect.sets.set(FIELD_ATTRIBUTES[field as keyof typeof FIELD_ATTRIBUTES], value);
  }
  if (change.arrival) {
    addTo(effect, arrivalAttribute(change.arrival.day), 1n);
    for (const day of change.arrival.staleDays) effect.removes.add(arrivalAttribute(day));
  }
  if (change.whileHandle !== undefined) effect.expects.set(FIELD_ATTRIBUTES.handle, change.whileHandle);
  invariant(!change.earn || !effect.earn, 'two incomes of one account, each decided without the other');
  if (change.earn) effect.earn = change.earn;
  if (change.refusal) effect.refusal = change.refusal;
};

const addMovement = (effect: AccountEffect, change: BalanceChange, refusal: Failure): void => {
  const attribute = BALANCE_ATTRIBUTES[change.asset];
  addTo(effect, attribute, change.amount);
  if (change.asset === 'CREDIT') addTo(effect, CREDIT_ROWS_ATTRIBUTE, 1n);
  if (change.amount < 0n) effect.balances.push({ attribute, least: -change.amount, refusal });
};

/** Collects the effects of all changes on existing accounts, one for each wallet. */
export const accountEffects = (changes: readonly Change[]): AccountEffect[] => {
  const effects = new Map<Wallet, AccountEffect>();
  const of = (wallet: Wallet): AccountEffect => {
    const effect = effects.get(wallet) ?? emptyEffect(wallet);
    effects.set(wallet, effect);
    return effect;
  };
  const created = new Set(changes.flatMap((change) => (change.kind === 'account.create' ? [change.account.wallet] : [])));
  for (const change of changes) {
    if (change.kind === 'account.change') addChange(of(change.wallet), change);
    if (change.kind !== 'movement') continue;
    for (const { wallet, asset, amount } of rowsOf(change.movement)) {
      // A new account's item already holds the sum of its grants: createWrite puts it there.
      if (!created.has(wallet)) addMovement(of(wallet), { wallet, asset, amount }, change.refusal ?? RACED);
    }
  }
  return [...effects.values()];
};

interface Expression {
  readonly sets: string[];
  readonly adds: string[];
  readonly removes: string[];
  readonly conditions: string[];
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
}

/** Adds to a day that has begun as long as there is room: incomes at once do not stand in each other's way. */
const addEarnings = (expression: Expression, { day, amount }: Earning, upTo: bigint): void => {
  Object.assign(expression.names, { '#eD': EARN_ATTRIBUTES.day, '#eA': EARN_ATTRIBUTES.earned });
  Object.assign(expression.values, { ':eD': day, ':eA': amount, ':room': upTo - amount });
  expression.adds.push('#eA :eA');
  expression.conditions.push('#eD = :eD', '#eA <= :room');
};

const setEarnings = (expression: Expression, earn: Earning): void => {
  const { day, earned } = EARN_ATTRIBUTES;
  const base = earn.before.day === earn.day ? earn.before.earned : 0n;
  Object.assign(expression.names, { '#eD': day, '#eA': earned });
  Object.assign(expression.values, { ':eD': earn.day, ':eA': base + earn.amount, ':eD0': earn.before.day, ':eA0': earn.before.earned });
  expression.sets.push('#eD = :eD', '#eA = :eA');
  // Two incomes at once would both see room under the cap; the second to commit is refused and decides again.
  expression.conditions.push('#eD = :eD0', '#eA = :eA0');
};

const writeEarnings = (expression: Expression, earn: Earning): void => {
  if (earn.upTo !== undefined && earn.before.day === earn.day) addEarnings(expression, earn, earn.upTo);
  else setEarnings(expression, earn);
};

/** What each debited balance has to hold: what goes out of it, less what the same transaction puts in. */
const leastBalances = (effect: AccountEffect): ReadonlyMap<string, bigint> => {
  const attributes = new Set(effect.balances.map(({ attribute }) => attribute));
  const net = [...attributes].map((attribute) => [attribute, -(effect.adds.get(attribute) ?? 0n)] as const);
  return new Map(net.filter(([, least]) => least > 0n));
};

const expressionOf = (effect: AccountEffect): Expression => {
  const expression: Expression = { sets: [], adds: [], removes: [], conditions: ['attribute_exists(PK)'], names: {}, values: {} };
  let count = 0;
  for (const [attribute, value] of effect.sets) {
    count += 1;
    expression.names[`#s${count}`] = attribute;
    expression.values[`:s${count}`] = value;
    expression.sets.push(`#s${count} = :s${count}`);
  }
  for (const [attribute, amount] of effect.adds) {
    if (amount === 0n) continue;
    count += 1;
    expression.names[`#a${count}`] = attribute;
    expression.values[`:a${count}`] = amount;
    expression.adds.push(`#a${count} :a${count}`);
  }
  for (const attribute of effect.removes) {
    count += 1;
    expression.names[`#r${count}`] = attribute;
    expression.removes.push(`#r${count}`);
  }
  for (const [attribute, least] of leastBalances(effect)) {
    count += 1;
    expression.names[`#b${count}`] = attribute;
    expression.values[`:b${count}`] = least;
    expression.conditions.push(`#b${count} >= :b${count}`);
  }
  for (const [attribute, value] of effect.expects) {
    count += 1;
    expression.names[`#e${count}`] = attribute;
    expression.values[`:e${count}`] = value;
    expression.conditions.push(`#e${count} = :e${count}`);
  }
  if (effect.earn) writeEarnings(expression, effect.earn);
  return expression;
};

const refusalFor = (effect: AccountEffect, item: Item | undefined): Failure => {
  if (!item) return effect.refusal;
  const needed = leastBalances(effect);
  const short = effect.balances.find(
    ({ attribute }) => BigInt((item[attribute] as number | undefined) ?? 0) < (needed.get(attribute) ?? 0n),
  );
  return short?.refusal ?? RACED;
};

/** The update of one account, or nothing when the effects cancel out. */
export const accountWrite = (tableName: string, effect: AccountEffect): Write[] => {
  const { sets, adds, removes, conditions, names, values } = expressionOf(effect);
  if (sets.length + adds.length === 0) return [];
  const update = Object.entries({ SET: sets, REMOVE: removes, ADD: adds })
    .flatMap(([verb, parts]) => (parts.length > 0 ? [`${verb} ${parts.join(', ')}`] : []))
    .join(' ');
  return [
    {
      action: {
        Update: {
          TableName: tableName,
          Key: keys.account(effect.wallet),
          UpdateExpression: update,
          ConditionExpression: conditions.join(' AND '),
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refused: (item) => refusalFor(effect, item),
    },
  ];
};

/** Puts a new account with the balances that the movements of the same transaction give it. */
export const createWrite = (tableName: string, change: Of<'account.create'>, changes: readonly Change[]): Write => {
  const sums = { CREDIT: 0n, ATTN: 0n };
  for (const other of changes) {
    if (other.kind !== 'movement') continue;
    for (const row of rowsOf(other.movement)) if (row.wallet === change.account.wallet) sums[row.asset] += row.amount;
  }
  invariant(change.account.credits === sums.CREDIT && change.account.attn === sums.ATTN, 'a new account whose grants do not add up');
  return {
    action: { Put: { TableName: tableName, Item: { ...accountItem(change.account) }, ConditionExpression: 'attribute_not_exists(PK)' } },
    refused: () => change.refusal,
  };
};

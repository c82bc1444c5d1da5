// Money: rows sum to balances, nothing comes from nowhere, stakes end once, and no day pays more than it may.
import { DAILY_EARN_CAP } from '#domain/ledger/stakes.ts';
import type { Asset, LedgerRow } from '#domain/ledger/movements.ts';
import { dayOf } from '#domain/values/time.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import { groupBy, type Invariant, sumOf } from './invariant.ts';

const ASSETS: readonly Asset[] = ['ATTN', 'CREDIT'];

const balancesEqualRows: Invariant = ({ accounts, ledger }) =>
  accounts.flatMap(({ wallet, credits, attn }) =>
    ASSETS.flatMap((asset) => {
      const balance = asset === 'ATTN' ? attn : credits;
      const sum = sumOf(ledger.filter((row) => row.wallet === wallet && row.asset === asset));
      const problems = sum === balance ? [] : [`${wallet} has ${balance} ${asset}, its rows sum to ${sum}`];
      return balance < 0n ? [...problems, `${wallet} has ${balance} ${asset}`] : problems;
    }),
  );

/** Every row names its other side: an agent's has the mirror row, a system account's is summed. */
const systemBalance = (ledger: readonly LedgerRow[], asset: Asset, name: string): bigint =>
  -sumOf(ledger.filter((row) => row.asset === asset && row.counterAccount === name));

const mirrored: Invariant = ({ ledger }) => {
  const rows = new Map(ledger.map((row) => [`${row.wallet} ${row.asset} ${row.id}`, row]));
  return ledger
    .filter(({ counterAccount }) => counterAccount.startsWith('0x'))
    .filter(({ counterAccount, asset, id, amount }) => rows.get(`${counterAccount} ${asset} ${id}`)?.amount !== -amount)
    .map(({ id }) => `row ${id} has no other side`);
};

const assetsSumToZero: Invariant = ({ accounts, ledger }) =>
  ASSETS.flatMap((asset) => {
    const users = accounts.reduce((sum, { credits, attn }) => sum + (asset === 'ATTN' ? attn : credits), 0n);
    const system = ['mint', 'fee', 'escrow'].map((name) => systemBalance(ledger, asset, name));
    const total = system.reduce((sum, amount) => sum + amount, users);
    const [mint = 0n, ...others] = system;
    const isOdd = mint > 0n || others.some((amount) => amount < 0n);
    return total === 0n && !isOdd ? [] : [`${asset} sums to ${total} over all accounts; mint, fee and escrow hold ${system.join(', ')}`];
  });

const escrowEqualsStakes: Invariant = ({ ledger, mails, waiting }) => {
  const open = [...mails, ...waiting].filter(({ stake }) => stake?.status === 'pending');
  const staked = open.reduce((sum, { stake }) => sum + (stake?.amount ?? 0n), 0n);
  const escrow = systemBalance(ledger, 'ATTN', 'escrow');
  return escrow === staked ? [] : [`escrow holds ${escrow}, open stakes sum to ${staked}`];
};

const stakesEndOnce: Invariant = ({ ledger, mails }) => {
  const open = new Set(mails.filter(({ stake }) => stake?.status === 'pending').map(({ id }) => id));
  const ofStakes = ledger.filter(
    ({ asset, counterAccount, reference }) => asset === 'ATTN' && counterAccount === 'escrow' && reference.emailId,
  );
  return [...groupBy(ofStakes, ({ reference }) => reference.emailId ?? '')].flatMap(([emailId, rows]) => {
    const staked = rows.filter(({ type }) => type === 'stake');
    const ends = rows.filter(({ type }) => type !== 'stake');
    const returned = sumOf(ends);
    const expected = open.has(emailId) ? 0n : -sumOf(staked);
    const kinds = new Set(ends.map(({ type }) => type));
    if (staked.length === 1 && returned === expected && kinds.size === ends.length) return [];
    return [
      `the stake of ${emailId}: staked ${staked.length} times, ended with ${ends.map(({ type, amount }) => `${type} ${amount}`).join(' and ') || 'nothing'}`,
    ];
  });
};

const EARNING: ReadonlySet<string> = new Set(['daily_claim', 'reject_income', 'expiry_income']);

const daysAreCapped = ({ ledger, accounts }: Snapshot, { earnedBefore }: World): string[] => {
  const earning = ledger.filter(({ type }) => EARNING.has(type));
  return [...groupBy(earning, ({ wallet, at }) => `${wallet} ${dayOf(at)}`)].flatMap(([walletAndDay, rows]) => {
    const earned = sumOf(rows) + (earnedBefore.get(walletAndDay) ?? 0n);
    const claims = rows.filter(({ type }) => type === 'daily_claim').length;
    const account = accounts.find(({ wallet, earnings }) => `${wallet} ${earnings.day}` === walletAndDay);
    return [
      ...(claims > 1 ? [`${walletAndDay}: ${claims} daily claims`] : []),
      ...(earned > DAILY_EARN_CAP ? [`${walletAndDay}: earned ${earned}`] : []),
      ...(account && account.earnings.earned !== earned
        ? [`${walletAndDay}: earned ${earned}, the account says ${account.earnings.earned}`]
        : []),
    ];
  });
};

const grantsAreGivenOnce: Invariant = ({ ledger, accounts }) =>
  accounts.flatMap(({ wallet }) =>
    ASSETS.flatMap((asset) => {
      const grants = ledger.filter((row) => row.wallet === wallet && row.asset === asset && row.type === 'signup_grant').length;
      return grants === 1 ? [] : [`${wallet} was granted ${asset} ${grants} times`];
    }),
  );

const BOUGHT: ReadonlySet<string> = new Set(['purchase', 'pro_bonus']);

const paymentsBuyOnce: Invariant = ({ ledger }) => {
  const bought = ledger.filter(({ type, reference }) => BOUGHT.has(type) && reference.txHash);
  return [...groupBy(bought, ({ reference }) => reference.txHash ?? '')].flatMap(([hash, rows]) =>
    rows.length === 1 ? [] : [`payment ${hash.slice(0, 8)} bought ${rows.length} times`],
  );
};

const wavesPayOnce: Invariant = ({ ledger }) =>
  [
    ...groupBy(
      ledger.filter(({ type }) => type === 'airdrop'),
      ({ wallet }) => wallet,
    ),
  ].flatMap(([wallet, rows]) => (rows.length === 1 ? [] : [`${wallet} was paid for one wave ${rows.length} times`]));

export const ledgerInvariants: readonly Invariant[] = [
  balancesEqualRows,
  mirrored,
  assetsSumToZero,
  escrowEqualsStakes,
  stakesEndOnce,
  daysAreCapped,
  grantsAreGivenOnce,
  paymentsBuyOnce,
  wavesPayOnce,
];

// Finds the payment behind a transaction hash and checks it, in the order in which a refusal is told (reference, "Payment
// by transaction hash"): shape, redeemed, known, succeeded, recipient and amount, chain, confirmations, age, payer.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import type {
  FoundTransaction,
  MinedTransaction,
  PaymentChainId,
  PaymentChains,
  PaymentTerms,
  RedeemedPayments,
  TransactionHash,
} from '../ports/payments.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import { ethText, usdcText } from './pricing.ts';

const HASH = /^0x[0-9a-f]{64}$/;
const NOBODY = `0x${'0'.repeat(40)}`;

/** Older deposits were meant for something else; nobody waits a month with a hash in hand. */
export const PAYMENT_AGE_SECONDS_MAX = 30 * SECONDS_PER_DAY;

export interface FindPaymentPorts {
  readonly chains: PaymentChains;
  readonly redeemed: RedeemedPayments;
  readonly terms: PaymentTerms;
}

/** What a payment has to be. */
export interface PaymentWanted {
  readonly text: string;
  readonly wallet: Wallet;
  readonly currency: 'ETH' | 'USDC';
  /** Wei or USDC units. */
  readonly least: bigint;
  readonly to: Wallet;
  /** Looked at side by side. */
  readonly chainIds: readonly PaymentChainId[];
  /**
   * Whether the payer said which chain it is. A transaction from before EIP-155 can be repeated by anyone on another chain
   * under the same hash: it counts only where its payer says, and, as hashes are used up without their chain, once.
   */
  readonly isChainNamed: boolean;
  readonly now: number;
}

export interface Payment {
  readonly hash: TransactionHash;
  readonly transaction: MinedTransaction;
  /** Wei or USDC units that arrived. */
  readonly amount: bigint;
}

export const parseTransactionHash = (text: string): TransactionHash | undefined => {
  const lower = text.toLowerCase();
  return HASH.test(lower) ? (lower as TransactionHash) : undefined;
};

const isMined = (found: FoundTransaction): found is MinedTransaction => typeof found !== 'string';

const locate = async (
  ports: FindPaymentPorts,
  hash: TransactionHash,
  chainIds: readonly PaymentChainId[],
): Promise<Outcome<MinedTransaction>> => {
  const found = await Promise.all(chainIds.map((chainId) => ports.chains.find(hash, chainId)));
  const mined = found.find(isMined);
  if (mined) return ok(mined);
  // "Not known" from one chain is an answer, while silence of all is none.
  return found.every((each) => each === 'unavailable') ? fail('chain_unavailable') : fail('transaction_not_found');
};

/** How much arrived, and from whom. A stranger's payment is told apart from none, so that its payer can be pointed at it. */
interface Arrived {
  readonly amount: bigint;
  readonly isFromWallet: boolean;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const arrivedUsdc = ({ usdc }: MinedTransaction, { to, wallet }: PaymentWanted): Arrived | undefined => {
  // New tokens come from nobody, and a transfer to oneself pays nobody.
  const transfers = usdc.filter(
    (transfer) => transfer.to === to && transfer.from !== to && transfer.from !== NOBODY && transfer.units > 0n,
  );
  if (transfers.length === 0) return undefined;
  const own = transfers.filter(({ from }) => from === wallet);
  const counted = own.length > 0 ? own : transfers;
  return { amount: sum(counted.map(({ units }) => units)), isFromWallet: own.length > 0 };
};

const arrivedEth = ({ from, to, wei }: MinedTransaction, wanted: PaymentWanted): Arrived | undefined =>
  to === wanted.to && from !== to ? { amount: wei, isFromWallet: from === wanted.wallet } : undefined;

const INSIDE_HINT =
  'This transaction runs a contract, and transfers made inside a contract call are not recognised: send ETH straight from the wallet to the address.';

const wrongRecipient = (transaction: MinedTransaction, wanted: PaymentWanted): Failure =>
  fail('wrong_recipient', {
    fields: { expected_recipient: wanted.to },
    ...(wanted.currency === 'ETH' && transaction.callsContract && { hint: INSIDE_HINT }),
  });

const tooLow = (amount: bigint, { currency, least }: PaymentWanted): Failure => {
  const text = currency === 'ETH' ? ethText : usdcText;
  return fail('amount_too_low', {
    message: `The payment of ${text(amount)} ${currency} is below ${text(least)} ${currency}`,
    fields: { required: text(least), sent: text(amount) },
  });
};

const notConfirmed = (have: bigint, need: number): Failure =>
  fail('transaction_not_found', {
    message: `The transaction has ${have} of ${need} confirmations`,
    hint: 'Wait for confirmations and send the same request again.',
    retryAfterSeconds: 5,
  });

/** Judges a transaction in a block; everything it needs is in its arguments. */
const judge = (terms: PaymentTerms, transaction: MinedTransaction, wanted: PaymentWanted): Outcome<bigint> => {
  if (!transaction.hasSucceeded) return fail('transaction_failed');
  const arrived = wanted.currency === 'ETH' ? arrivedEth(transaction, wanted) : arrivedUsdc(transaction, wanted);
  if (!arrived) return wrongRecipient(transaction, wanted);
  if (arrived.amount < wanted.least) return tooLow(arrived.amount, wanted);
  if (!transaction.isBoundToChain && !wanted.isChainNamed) return fail('transaction_not_bound');
  const need = terms.confirmations[transaction.chainId];
  if (transaction.confirmations < BigInt(need)) return notConfirmed(transaction.confirmations, need);
  if (transaction.minedAt + PAYMENT_AGE_SECONDS_MAX < wanted.now) return fail('transaction_too_old');
  if (terms.bindsPayer && !arrived.isFromWallet) return fail('payer_mismatch');
  return ok(arrived.amount);
};

/**
 * Finds and checks a payment; nothing is used up yet.
 *
 * @returns the first failure in the order above; `chain_unavailable` only when no chain answered.
 */
export const findPayment = async (ports: FindPaymentPorts, wanted: PaymentWanted): Promise<Outcome<Payment>> => {
  const hash = parseTransactionHash(wanted.text);
  if (hash === undefined) return fail('invalid_transaction_hash');
  if (await ports.redeemed.isRedeemed(hash)) return fail('already_redeemed');
  const located = await locate(ports, hash, wanted.chainIds);
  if (!located.ok) return located;
  const amount = judge(ports.terms, located.value, wanted);
  return amount.ok ? ok({ hash, transaction: located.value, amount: amount.value }) : amount;
};

/** Whether a transaction that moved to another block still pays as much as it was redeemed for. */
export const stillPays = (terms: PaymentTerms, transaction: MinedTransaction, wanted: PaymentWanted): boolean => {
  const patient = { ...terms, bindsPayer: false, confirmations: { ...terms.confirmations, [transaction.chainId]: 0 } };
  return judge(patient, transaction, wanted).ok;
};

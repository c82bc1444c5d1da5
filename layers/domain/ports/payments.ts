// Payments by transaction hash: what the domain asks of the chains, and of the store of hashes that were redeemed.
import type { Wallet } from '../values/wallet.ts';

/** `0x` and 64 lower-case hexadecimal digits. */
export type TransactionHash = `0x${string}`;

/** Chains that payments are taken on: Base, Ethereum and Base Sepolia. */
export type PaymentChainId = 8453 | 1 | 84532;

export interface TokenTransfer {
  readonly from: Wallet;
  readonly to: Wallet;
  /** Smallest unit, 6 decimals. */
  readonly units: bigint;
}

/** A transaction in a block, as one chain shows it at the moment. */
export interface MinedTransaction {
  readonly chainId: PaymentChainId;
  readonly from: Wallet;
  /** Absent when the transaction made a contract. */
  readonly to: Wallet | undefined;
  readonly wei: bigint;
  readonly hasSucceeded: boolean;
  /** Runs a contract: money may then move inside, where nothing shows it. */
  readonly callsContract: boolean;
  /** Names the chain it is meant for; without that it can be repeated, under the same hash, on every other chain. */
  readonly isBoundToChain: boolean;
  /** Transfers of the chain's real USDC, and of no token that looks like it. */
  readonly usdc: readonly TokenTransfer[];
  readonly blockNumber: bigint;
  readonly blockHash: string;
  /** Unix seconds of its block. */
  readonly minedAt: number;
  /** The block it stands in is the first. */
  readonly confirmations: bigint;
}

/** `pending`: known, in no block yet. `unavailable`: the chain is not configured or does not answer. */
export type FoundTransaction = MinedTransaction | 'pending' | 'unknown' | 'unavailable';

/** Reads transactions; never throws, and never from a cache. */
export interface PaymentChains {
  find(hash: TransactionHash, chainId: PaymentChainId): Promise<FoundTransaction>;
  /** Whether a block still stands where it stood; `unavailable` too when the node has not come that far. */
  standsAt(chainId: PaymentChainId, blockNumber: bigint, blockHash: string): Promise<boolean | 'unavailable'>;
}

export type PaymentProduct = 'credits' | 'pro' | 'attn' | 'mail';

/** What a redeemed transaction gave, so that it can be taken back when the chain forgets it. */
export interface RedeemedPayment {
  readonly hash: TransactionHash;
  readonly wallet: Wallet;
  readonly product: PaymentProduct;
  readonly chainId: PaymentChainId;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly currency: 'ETH' | 'USDC';
  readonly to: Wallet;
  /** Wei or USDC units that arrived. */
  readonly amount: bigint;
  readonly credits: bigint;
  readonly attn: bigint;
  readonly at: number;
  /** How often it was looked at again. */
  readonly checks: number;
  /** When it is looked at next; absent when nothing can take it back any more. */
  readonly dueAt: number | undefined;
}

export interface RedeemedPayments {
  /** Whether a hash was used up, by any product; one that was taken back is free again. */
  isRedeemed(hash: TransactionHash): Promise<boolean>;
  /** Payments whose time to be looked at again has come. */
  due(now: number, limit: number): Promise<readonly RedeemedPayment[]>;
}

/** What the operator decides about payments. */
export interface PaymentTerms {
  /** Empty: this service takes no payments. */
  readonly depositAddress: Wallet | undefined;
  /** Whether the payer must be the account's own wallet. */
  readonly bindsPayer: boolean;
  /** Blocks by chain, the transaction's own included. */
  readonly confirmations: Readonly<Record<PaymentChainId, number>>;
}

// What every function that checks payments by transaction hash is wired from: the chains, the redeemed hashes, and the
// operator's terms.
import { openRedeemedPayments } from '#adapters/dynamo/payment-store.ts';
import type { Table } from '#adapters/dynamo/table.ts';
import type { ChainClients } from '#adapters/evm/chain-clients.ts';
import { createPaymentChains } from '#adapters/evm/payment-chains.ts';
import type { FindPaymentPorts } from '#domain/payments/find-payment.ts';
import type { PaymentTerms } from '#domain/ports/payments.ts';
import { parseWallet } from '#domain/values/wallet.ts';
import { optional } from '#runtime/config.ts';

const DEFAULT_CONFIRMATIONS = { 8453: 2, 1: 3, 84532: 1 } as const;

/** Reads `8453=2,1=3`; chains that are left out keep their default. */
const confirmationsIn = (text: string): PaymentTerms['confirmations'] => {
  const pairs = text.split(',').map((pair) => pair.split('=').map(Number));
  return { ...DEFAULT_CONFIRMATIONS, ...Object.fromEntries(pairs.filter(([chainId, blocks]) => chainId && blocks !== undefined)) };
};

/** Opens the payment ports of a function; reads its settings from the environment. */
export const openPaymentAccess = (table: Table, clients: () => Promise<ChainClients>): FindPaymentPorts => ({
  chains: createPaymentChains(clients),
  redeemed: openRedeemedPayments(table),
  terms: {
    depositAddress: parseWallet(optional('DEPOSIT_ADDRESS')),
    bindsPayer: optional('PAYMENT_BIND_SENDER', 'true') !== 'false',
    confirmations: confirmationsIn(optional('CONFIRMATIONS')),
  },
});

// What the functions with operations that can be paid for by call are wired from.
import { openPaidCalls } from '#adapters/dynamo/paid-call-store.ts';
import type { Table } from '#adapters/dynamo/table.ts';
import { openTeller } from '#adapters/mpp/teller.ts';
import { openSecret, type SecretReader, secretValue } from '#adapters/secrets/secret-reader.ts';
import { fail, FailureError } from '#domain/errors.ts';
import { payPerCall } from '#domain/payments/pay-per-call.ts';
import type { PayPerCall } from '#domain/ports/pay-per-call.ts';
import { type Config, optional } from '#runtime/config.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { paidCallRecipient } from './paid-call-recipient.ts';

/** The addresses of one chain's nodes in the chain secret: one text or several. */
const rpcUrlsOf = async (secret: SecretReader, chainId: number): Promise<readonly string[]> => {
  const { rpc_urls: byChain } = (await secret()) as { readonly rpc_urls?: Readonly<Record<string, string | readonly string[]>> };
  const urls = [byChain?.[String(chainId)] ?? []].flat();
  if (urls.length === 0) throw new FailureError(fail('misconfigured'));
  return urls;
};

/** Opens payments by call; undefined where the operator has switched them off or named no address to pay to. */
export const openPayPerCall = (config: Config, table: Table): PayPerCall | undefined => {
  const recipient = paidCallRecipient(config);
  if (!recipient) return undefined;
  const chainId = Number(optional('TEMPO_CHAIN_ID', '4217'));
  const mppSecret = openSecret(optional('MPP_SECRET'));
  const chainSecret = openSecret(optional('CHAIN_SECRET'));
  const teller = openTeller({
    secretKey: async () => secretValue(await mppSecret(), 'secret_key'),
    realm: config.mailDomain,
    recipient,
    chainId,
    rpcUrls: () => rpcUrlsOf(chainSecret, chainId),
  });
  return payPerCall({ teller, paidCalls: openPaidCalls(table), pause: (milliseconds) => pause(milliseconds) });
};

/** The options of an area whose operations can be paid for by call. */
export const withPayments = <O extends { readonly gate: object }>(options: O, payments: PayPerCall | undefined): O =>
  payments ? { ...options, gate: { ...options.gate, payments } } : options;

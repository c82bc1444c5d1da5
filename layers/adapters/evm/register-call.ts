// The call that buys a name for someone, whoever sends it.
import { type BasenamesAddresses, CONTROLLER_ABI, ONE_YEAR_SECONDS, RESOLVER_ABI } from '#adapters/evm/basenames-contracts.ts';
import { toBasename } from '#adapters/evm/label.ts';
import type { RegisterCall } from '#domain/ports/wallets.ts';
import type { Wallet } from '#domain/values/wallet.ts';

/** What is over comes back to the sender, so the buffer only guards against a price that moves before the block. */
const BUFFER_PERCENT = 10n;

export interface RegisterPurchase {
  readonly addresses: BasenamesAddresses;
  readonly chainId: number;
  readonly label: string;
  readonly owner: Wallet;
  /** Wei, without buffer. */
  readonly price: bigint;
}

/**
 * One year of a name for `owner`, its address record set. No reverse record: the contract would set the sender's,
 * and in a sponsored purchase the sender is the platform.
 */
export const registerCall = async ({ addresses, chainId, label, owner, price }: RegisterPurchase): Promise<RegisterCall> => {
  const { encodeFunctionData, namehash, parseAbi } = await import('#evm-runtime/viem.ts');
  const node = namehash(toBasename(label));
  const setAddress = encodeFunctionData({ abi: parseAbi(RESOLVER_ABI), functionName: 'setAddr', args: [node, owner] });
  const shared = { name: label, owner, resolver: addresses.resolver, data: [setAddress], reverseRecord: false, signature: '0x' } as const;
  const request = { ...shared, duration: BigInt(ONE_YEAR_SECONDS), coinTypes: [], signatureExpiry: 0n };
  return {
    chainId,
    to: addresses.controller,
    data: encodeFunctionData({ abi: parseAbi(CONTROLLER_ABI), functionName: 'register', args: [request] }),
    // Rounded up, so that the buffer never falls short of its tenth.
    value: price + (price * BUFFER_PERCENT + 99n) / 100n,
    durationSeconds: ONE_YEAR_SECONDS,
    args: { ...shared, duration: String(ONE_YEAR_SECONDS), coinTypes: [], signatureExpiry: '0' },
  };
};

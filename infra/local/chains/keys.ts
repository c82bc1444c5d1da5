// The wallets that the local stack owns, made once for each data folder. Never the well-known development keys:
// a production configuration refuses those, and a mistaken transfer to one of them on a real chain is gone.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address, Hex } from 'viem';

interface Wallet {
  readonly private_key: Hex;
  readonly address: Address;
}

/** Faucet: the money that testers hand out. Platform: pays for sponsored names. Deposit: where credits are paid to. */
export interface ChainKeys {
  readonly faucet: Wallet;
  readonly platform: Wallet;
  readonly deposit: Wallet;
}

/** Reads `<folder>/keys.json`, or makes it. `platformKey` replaces the platform's generated key, without being stored. */
export async function loadKeys(folder: string, platformKey?: Hex): Promise<ChainKeys> {
  const file = join(folder, 'keys.json');
  if (!existsSync(file)) await makeKeys(file);
  const keys = JSON.parse(readFileSync(file, 'utf8')) as ChainKeys;
  if (platformKey === undefined) return keys;
  const { privateKeyToAddress } = await import('viem/accounts');
  return { ...keys, platform: { private_key: platformKey, address: privateKeyToAddress(platformKey) } };
}

async function makeKeys(file: string): Promise<void> {
  const { generatePrivateKey, privateKeyToAddress } = await import('viem/accounts');
  const make = (): Wallet => {
    const key = generatePrivateKey();
    return { private_key: key, address: privateKeyToAddress(key) };
  };
  const keys: ChainKeys = { faucet: make(), platform: make(), deposit: make() };
  writeFileSync(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

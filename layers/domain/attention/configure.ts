// Storing the USDC pricing of an account: what is left out keeps its value, also when two calls come at once.
import { invariant, ok, type Outcome } from '../errors.ts';
import type { AttentionConfigs } from '../ports/attention.ts';
import type { Committer } from '../ports/changes.ts';
import type { Wallet } from '../values/wallet.ts';
import { type AttentionConfig, CONFIG_DEFAULTS } from './config.ts';

export type ConfigUpdate = { readonly [K in keyof AttentionConfig]?: AttentionConfig[K] | undefined };

/** Gives what is stored then. */
export const configureAttention = async (
  ports: { configs: AttentionConfigs; committer: Committer },
  wallet: Wallet,
  update: ConfigUpdate,
): Promise<Outcome<AttentionConfig>> => {
  const set = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
  const committed = await ports.committer.commit([{ kind: 'attention.configure', wallet, set, defaults: CONFIG_DEFAULTS }]);
  if (!committed.ok) return committed;
  const stored = await ports.configs.of(wallet);
  invariant(stored, 'a configuration that was just stored');
  return ok(stored);
};

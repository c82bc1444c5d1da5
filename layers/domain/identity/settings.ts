// The account's own settings. Omitted fields keep their value.
import { ok, type Outcome } from '../errors.ts';
import type { Committer } from '../ports/changes.ts';
import type { AccountSettings, SettingsStore } from '../ports/names.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';

export interface SettingsPorts {
  readonly settings: SettingsStore;
  readonly committer: Committer;
}

/** Stores what was given; the first digest comes a day later, when there is a day to tell of. */
export const updateSettings = async (
  ports: SettingsPorts,
  request: { readonly wallet: Wallet; readonly notificationEmail: string | null | undefined; readonly now: number },
): Promise<Outcome<AccountSettings>> => {
  const { wallet, notificationEmail, now } = request;
  const before = await ports.settings.read(wallet);
  if (notificationEmail === undefined || notificationEmail === before.notificationEmail) return ok(before);
  const committed = await ports.committer.commit([{ kind: 'digest.set', wallet, email: notificationEmail, dueAt: now + SECONDS_PER_DAY }]);
  return committed.ok ? ok({ notificationEmail }) : committed;
};

// The account's own settings. Omitted fields keep their value.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Committer } from '../ports/changes.ts';
import type { ParseAddress } from '../ports/mail-content.ts';
import type { AccountSettings, SettingsStore } from '../ports/names.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';

export interface SettingsPorts {
  readonly settings: SettingsStore;
  readonly committer: Committer;
  readonly parseAddress: ParseAddress;
}

/** Stores what was given; the first digest comes a day later, when there is a day to tell of. */
export const updateSettings = async (
  ports: SettingsPorts,
  request: { readonly wallet: Wallet; readonly notificationEmail: string | null | undefined; readonly now: number },
): Promise<Outcome<AccountSettings>> => {
  const { wallet, notificationEmail, now } = request;
  const before = await ports.settings.read(wallet);
  if (notificationEmail === undefined || notificationEmail === before.notificationEmail) return ok(before);
  if (notificationEmail !== null && !ports.parseAddress(notificationEmail)) {
    return fail('invalid_request', { message: 'notification_email is no address that mail can be sent to' });
  }
  const committed = await ports.committer.commit([{ kind: 'digest.set', wallet, email: notificationEmail, dueAt: now + SECONDS_PER_DAY }]);
  return committed.ok ? ok({ notificationEmail }) : committed;
};

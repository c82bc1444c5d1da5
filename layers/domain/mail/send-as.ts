// Sending under another name of the same wallet (`from_handle`): the name is checked on chain and becomes an alias, so
// that the answers arrive.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { addAlias, type AliasPorts } from '../identity/aliases.ts';
import { parseWallet } from '../values/wallet.ts';

const NOT_YOURS = 'from_handle is not a name that this wallet owns';

/**
 * The handle that a message goes out under: the account's own, without anything asked, or one that the wallet owns now.
 *
 * @returns 400 `invalid_name` for a name that is not the wallet's, 503 when the chain does not answer.
 */
export const senderHandle = async (
  ports: AliasPorts,
  account: Account,
  fromHandle: string | undefined,
  now: number,
): Promise<Outcome<string>> => {
  if (fromHandle === undefined) return ok(account.handle);
  // An account is always reached under its address, too.
  if (parseWallet(fromHandle) === account.wallet) return ok(account.wallet);
  const label = ports.names.parseLabel(fromHandle);
  if (label === undefined) return fail('invalid_name', { message: NOT_YOURS });
  if (label === account.handle) return ok(label);
  const alias = await addAlias(ports, { account, name: label, now, commitReply: async () => [] });
  if (alias.ok) return ok(label);
  const isRefused = alias.code === 'name_not_owned' || alias.code === 'handle_taken' || alias.code === 'invalid_name';
  return isRefused
    ? fail('invalid_name', { message: NOT_YOURS, hint: 'After a fresh purchase wait about 15 seconds and try again.' })
    : alias;
};

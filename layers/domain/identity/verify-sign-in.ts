// Sign-in without registration: proves the wallet, makes no account, and says which handle the wallet could have.
import { ok, type Outcome } from '../errors.ts';
import type { Account } from './account.ts';
import type { ChosenHandle } from './choose-handle.ts';
import { type OwnedNamePorts, prospectsOf } from './owned-names.ts';
import { newRefreshToken, type SessionPorts } from './sessions.ts';
import { checkSignedMessage, type SignedMessage, type SignInMoment, type SignInPorts } from './sign-in.ts';

export interface VerifiedSignIn {
  readonly account: Account | undefined;
  readonly token: string;
  readonly refreshToken: string | undefined;
  readonly suggested: ChosenHandle;
  readonly ownsName: boolean;
}

/** A token for the wallet; unregistered ones may use it with `POST /api/register`. */
export const verifySignIn = async (
  ports: SignInPorts & SessionPorts & OwnedNamePorts,
  signed: SignedMessage,
  { now, baseUrl }: SignInMoment,
): Promise<Outcome<VerifiedSignIn>> => {
  const checked = await checkSignedMessage(ports, signed, now);
  if (!checked.ok) return checked;
  const wallet = signed.address;
  const [account, prospects] = await Promise.all([ports.accounts.byWallet(wallet, { strong: true }), prospectsOf(ports, wallet)]);
  const token = await ports.tokens.issue({ wallet, handle: account?.handle ?? '', issuer: baseUrl, now });
  const refresh = account && newRefreshToken(ports, wallet, now);
  const committed = await ports.committer.commit([
    { kind: 'nonce.consume', nonce: checked.value.nonce, now },
    ...(refresh ? [refresh.change] : []),
  ]);
  if (!committed.ok) return committed;
  return ok({ account, token, refreshToken: refresh?.token, suggested: prospects.handle, ownsName: prospects.ownsName });
};

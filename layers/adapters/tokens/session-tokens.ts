// JWT through jose: HS256 and nothing else, audience and type checked, several secrets by key id so that one can be rotated.
import { createHash, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { TOKEN_LIFE_SECONDS, type Tokens } from '#domain/ports/tokens.ts';
import { parseWallet } from '#domain/values/wallet.ts';
import { type SecretReader, secretValue } from '../secrets/secret-reader.ts';

const TYPE = 'at+jwt';

/** Names a secret without giving anything of it away. */
const keyIdOf = (secret: string): string => createHash('sha256').update(`kid ${secret}`).digest('hex').slice(0, 8);

const keyOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** The secret a token names; only `current` and `previous` are ever tried, whatever the header says. */
const secretFor = (values: Readonly<Record<string, string>>, keyId: string | undefined): string | undefined =>
  [values['current'], values['previous']].find((secret) => secret !== undefined && secret !== '' && keyIdOf(secret) === keyId);

const keyIdIn = (token: string): string | undefined => {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
};

export interface TokenOptions {
  readonly secret: SecretReader;
  /** The mail domain: tokens of another deployment with the same secret are refused. */
  readonly audience: string;
}

export const openTokens = ({ secret, audience }: TokenOptions): Tokens => ({
  issue: async ({ wallet, handle, issuer, now }) => {
    const current = secretValue(await secret(), 'current');
    return new SignJWT({ handle })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE, kid: keyIdOf(current) })
      .setSubject(wallet)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_LIFE_SECONDS)
      .setJti(randomUUID())
      .sign(keyOf(current));
  },
  walletOf: async (token, now) => {
    const values = await secret();
    secretValue(values, 'current');
    const found = secretFor(values, keyIdIn(token));
    if (found === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keyOf(found), {
        algorithms: ['HS256'],
        audience,
        typ: TYPE,
        currentDate: new Date(now * 1000),
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
      });
      return parseWallet(payload.sub ?? '');
    } catch {
      return undefined;
    }
  },
});

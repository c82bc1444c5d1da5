// Bearer credentials: API keys by their prefix, everything else as a session token.
import { fail, ok } from '#domain/errors.ts';
import type { Credentials } from '#domain/ports/gate.ts';
import type { ApiKeys } from '#domain/ports/stores.ts';
import type { Tokens } from '#domain/ports/tokens.ts';
import { sha256Hex } from '#runtime/ids.ts';

export const API_KEY_PREFIX = 'bm_live_';

export const openCredentials = (tokens: Tokens, apiKeys: ApiKeys): Credentials => ({
  walletOf: async (bearer, now) => {
    if (!bearer.startsWith(API_KEY_PREFIX)) {
      const wallet = await tokens.walletOf(bearer, now);
      return wallet ? ok(wallet) : fail('unauthorized');
    }
    const use = await apiKeys.byHash(sha256Hex(bearer));
    if (!use) return fail('unauthorized');
    await apiKeys.touch(use, now);
    return ok(use.wallet);
  },
});

// Long-lived API keys: shown once, stored by their hash, revoked at once.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { ApiKey, Change, Committer } from '../ports/changes.ts';
import type { ApiKeys, Digests } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';

const KEY_PREFIX = 'bm_live_';
const KEY_CHARACTERS = 43;
/** What the list shows: enough to tell keys apart, far too little to guess one. */
const SHOWN_CHARACTERS = KEY_PREFIX.length + 4;
/** An account never needs more; without a bound one credential could fill its partition. */
export const API_KEYS_MAX = 100;

const ROUNDS_MAX = 4;

export interface ApiKeyPorts {
  readonly apiKeys: ApiKeys;
  readonly committer: Committer;
  readonly digests: Digests;
  readonly ids: Ids;
}

export interface CreatedKey {
  readonly secret: string;
  readonly key: ApiKey;
}

export const createApiKey = async (
  ports: ApiKeyPorts,
  request: { wallet: Wallet; name: string | null; now: number; commitReply: (created: CreatedKey) => Promise<Change[]> },
): Promise<Outcome<CreatedKey>> => {
  const { wallet, name, now } = request;
  const live = (await ports.apiKeys.list(wallet)).filter((key) => key.revokedAt === null);
  if (live.length >= API_KEYS_MAX) return fail('limit_reached', { message: `An account may have ${API_KEYS_MAX} API keys` });
  const secret = KEY_PREFIX + ports.ids.token(KEY_CHARACTERS);
  const key: ApiKey = {
    id: ports.ids.next(now),
    wallet,
    name,
    prefix: secret.slice(0, SHOWN_CHARACTERS),
    hash: ports.digests.sha256Hex(secret),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  const created = { secret, key };
  const committed = await ports.committer.commit([{ kind: 'key.put', key }, ...(await request.commitReply(created))]);
  return committed.ok ? ok(created) : committed;
};

/** Revokes a key; one that is revoked already stays so, and a key of someone else is 404. */
export const revokeApiKey = async (
  ports: ApiKeyPorts,
  request: { wallet: Wallet; id: string; now: number; commitReply: () => Promise<Change[]> },
): Promise<Outcome<void>> => {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const key = (await ports.apiKeys.list(request.wallet)).find(({ id }) => id === request.id);
    if (!key) return notFound('API key');
    const revoke: Change[] = key.revokedAt === null ? [{ kind: 'key.revoke', key, at: request.now }] : [];
    const changes = [...revoke, ...(await request.commitReply())];
    const committed = changes.length === 0 ? ok(undefined) : await ports.committer.commit(changes);
    // Another request revoked it meanwhile.
    if (committed.ok || committed.code !== 'try_again') return committed;
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};

// Has proofs checked by World's developer API, over HTTPS; by its local stand-in where a stack of one machine says so.
import type { ProofVerifier, VerifiedProof } from '#domain/ports/world-id.ts';

export const WORLD_ID_API = 'https://developer.world.org';

const TIMEOUT_MS = 10_000;
/** Replies are small; a stream without an end must not fill the memory. */
const REPLY_BYTES_MAX = 100_000;

type Json = Readonly<Record<string, unknown>>;

const post = async (url: string, body: Json): Promise<{ readonly status: number; readonly body: Json }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (text.length > REPLY_BYTES_MAX) throw new Error('the reply of the verifier is too large');
  return { status: response.status, body: JSON.parse(text) as Json };
};

const levelOf = (body: Json): string => {
  const [first] = Array.isArray(body['results']) ? (body['results'] as Json[]) : [];
  return typeof first?.['identifier'] === 'string' ? first['identifier'] : 'proof_of_human';
};

/** Words of the verifier that are shown to the caller: a code or a short sentence. */
const reasonOf = (body: Json): string => {
  const reason = body['code'] ?? body['detail'];
  return typeof reason === 'string' ? reason.slice(0, 200) : 'no reason given';
};

const judge = (status: number, body: Json): VerifiedProof | { readonly refused: string } | 'unavailable' => {
  // 404 is an app that World does not know: the operator's mistake, and no fault of the proof.
  if (status >= 500 || status === 429 || status === 404) return 'unavailable';
  if (status !== 200 || body['success'] !== true || typeof body['nullifier'] !== 'string') return { refused: reasonOf(body) };
  return { nullifier: body['nullifier'], level: levelOf(body) };
};

/** The `ProofVerifier` port; `baseUrl` without a slash at its end. */
export const openProofVerifier = (baseUrl: () => Promise<string>, rpId: string): ProofVerifier => ({
  verify: async (result) => {
    try {
      const { status, body } = await post(`${await baseUrl()}/api/v4/verify/${encodeURIComponent(rpId)}`, result);
      return judge(status, body);
    } catch {
      return 'unavailable';
    }
  },
});

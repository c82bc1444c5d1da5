// Proof of human on the running stack, with made-up humans whose proofs the local verifier really checks.
import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { hashMessage, keccak256, recoverAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { secretFile } from '#infra/local/aws/secrets.ts';
import { makeDevProof } from '#infra/local/world-id.ts';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { useStack } from '#test/support/test-stack.ts';

const stack = useStack();
const api = () => stack.current.api;

type Proof = Record<string, unknown> & { responses: [Record<string, unknown>] };

const begin = async (agent: Agent) => {
  const { status, body } = await api().post('/api/world-id/rp-signature', {}, agent.token);
  expect(status).toBe(200);
  return body as { sig: Hex; nonce: Hex; created_at: number; expires_at: number; rp_id: string; app_id: string; action: string };
};

/** What a human's app answers to a question put to `agent`. */
const proofFor = async (agent: Agent, humanKey: Hex): Promise<Proof> => {
  const { nonce, action, rp_id: rpId } = await begin(agent);
  return (await makeDevProof({ rpId, action, nonce, signal: agent.wallet, humanKey })) as Proof;
};

const verify = (agent: Agent, proof: unknown) => api().post('/api/world-id/verify', { idkit_result: proof }, agent.token);

const isHuman = async (agent: Agent) => (await api().get(`/api/identity/${agent.handle}`)).body['is_human'];

describe('the request', () => {
  it('default: is signed by the relying party over nonce, times and action', async () => {
    const request = await begin(await newAgent(api()));

    const field = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(1), Buffer.from(keccak256(bytes).slice(2), 'hex').subarray(0, 31)]);
    const times = Buffer.alloc(16);
    times.writeBigUInt64BE(BigInt(request.created_at), 0);
    times.writeBigUInt64BE(BigInt(request.expires_at), 8);
    const message = Buffer.concat([Buffer.of(1), Buffer.from(request.nonce.slice(2), 'hex'), times, field(Buffer.from(request.action))]);
    const signer = await recoverAddress({ hash: hashMessage({ raw: message }), signature: request.sig });
    const secret = JSON.parse(readFileSync(secretFile(stack.current.stack.data_dir, 'agent-email/local/world-id'), 'utf8')) as {
      signing_key: Hex;
    };
    expect(request).toMatchObject({ rp_id: 'rp_local', app_id: 'app_local', action: 'verify-human' });
    expect(request.expires_at - request.created_at).toBe(300);
    expect(message.length).toBe(81);
    expect(signer).toBe(privateKeyToAddress(secret.signing_key));
  });
});

describe('a proof', () => {
  it('default: makes the account human, everywhere it is shown; verifying again answers the same', async () => {
    const agent = await newAgent(api());

    const first = await verify(agent, await proofFor(agent, generatePrivateKey()));
    const again = await verify(agent, await proofFor(agent, generatePrivateKey()));
    const status = await api().get(`/api/world-id/status/${agent.handle}`);

    expect([first.status, first.body]).toMatchObject([200, { success: true, is_human: true, verification_level: 'proof_of_human' }]);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(status.body).toEqual({
      handle: agent.handle,
      is_human: true,
      verification_level: 'proof_of_human',
      verified_at: first.body['verified_at'],
    });
    expect(await isHuman(agent)).toBe(true);
  });

  it('error: stolen from another account, or changed in any part, it is refused', async () => {
    const [owner, thief] = [await newAgent(api()), await newAgent(api())];
    const human = generatePrivateKey();
    /** A proof put to the thief's own question, with parts of it written over. */
    const changed = async (parts: Record<string, unknown>, response: Record<string, unknown> = {}) => {
      const proof = await proofFor(thief, human);
      return verify(thief, { ...proof, ...parts, responses: [{ ...proof.responses[0], ...response }] });
    };
    const foreign = await proofFor(owner, human);
    const { nonce } = await begin(thief);

    const replies = [
      await verify(thief, foreign),
      await verify(thief, { ...foreign, nonce }),
      await changed({}, { signal_hash: foreign.responses[0]['signal_hash'] }),
      await changed({}, { nullifier: `0x${'7'.repeat(62)}` }),
      await changed({}, { proof: foreign.responses[0]['proof'] }),
      await changed({ action: 'something-else' }),
      await changed({ environment: 'production' }),
      await changed({ protocol_version: '3.0' }),
      await changed({ session_id: 'session_1' }),
    ];

    expect(replies.map(({ status, body }) => [status, body['code']])).toEqual(replies.map(() => [400, 'proof_invalid']));
    expect([await isHuman(thief), (await verify(owner, foreign)).status]).toEqual([false, 200]);
  });

  it('behavior: one human, one account; removal frees the proof, and a used nonce stays used', async () => {
    const [first, second] = [await newAgent(api()), await newAgent(api())];
    const human = generatePrivateKey();
    const proof = await proofFor(first, human);
    expect((await verify(first, proof)).status).toBe(200);

    const elsewhere = await verify(second, await proofFor(second, human));
    const removed = await api().delete('/api/world-id/verify', first.token);
    const replayed = await verify(first, proof);
    const freed = await verify(second, await proofFor(second, human));
    const back = await verify(first, await proofFor(first, human));

    expect([elsewhere.status, elsewhere.body['code']]).toEqual([409, 'proof_linked_elsewhere']);
    expect([removed.status, removed.body['ok'], await isHuman(first)]).toEqual([200, true, false]);
    expect([replayed.status, replayed.body['code']]).toEqual([400, 'proof_invalid']);
    expect([freed.status, back.status, back.body['code']]).toEqual([200, 409, 'proof_linked_elsewhere']);
    expect((await api().delete('/api/world-id/verify', first.token)).status).toBe(200);
  });

  it('behavior: two accounts of one human at the same moment: one of them', async () => {
    const agents = [await newAgent(api()), await newAgent(api())];
    const human = generatePrivateKey();
    const proofs = await Promise.all(agents.map((agent) => proofFor(agent, human)));

    const replies = await Promise.all(agents.map((agent, index) => verify(agent, proofs[index])));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('error: expired after five minutes; without a result or a nullifier; and no status of strangers', async () => {
    const agent = await newAgent(api());
    const proof = await proofFor(agent, generatePrivateKey());
    await stack.current.control.advance(301);

    const expired = await verify(agent, proof);
    const empty = await api().post('/api/world-id/verify', {}, agent.token);
    const bare = await verify(agent, { ...proof, responses: [{}] });
    const unknown = await api().get('/api/world-id/status/nobody-by-that-name');

    expect([expired, empty, bare, unknown].map(({ status, body }) => [status, body['code']])).toEqual([
      [400, 'proof_invalid'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [404, 'not_found'],
    ]);
  });

  it('behavior: the verifier says that it is a stand-in, and proves for people with curl', async () => {
    const agent = await newAgent(api());
    const { nonce, action, rp_id: rpId } = await begin(agent);
    const call = async (path: string, body: unknown) => {
      const response = await fetch(stack.current.stack.world_id.verifier_url + path, { method: 'POST', body: JSON.stringify(body) });
      return (await response.json()) as Record<string, unknown>;
    };

    const proof = await call(`/dev/prove/${rpId}`, { action, nonce, signal: agent.wallet, human_key: generatePrivateKey() });
    const verdict = await call(`/api/v4/verify/${rpId}`, proof);

    expect(verdict).toMatchObject({ success: true, environment: 'staging', note: 'dev stub, no zero-knowledge verification' });
    expect((await verify(agent, proof)).status).toBe(200);
  });
});

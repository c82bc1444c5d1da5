// A stand-in for World's verifier on this machine: it knows no zero-knowledge proofs, and says so in every reply. What it
// does check is a signature by the key of a made-up human, over everything that a real proof would bind, so that a proof
// that was stolen, changed or used for a second account fails here for the reason it would fail there.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Hex } from 'viem';
import { closeServer } from './gateway.ts';
import { type Door, listenOnLoopback } from './held-port.ts';
import { asObject, asText, type Json } from './shapes.ts';

export interface WorldIdStub {
  readonly url: string;
  stop(): Promise<void>;
}

const NOTE = 'dev stub, no zero-knowledge verification';
const ENVIRONMENT = 'staging';
const LEVEL = 'proof_of_human';
const VERIFY_PATH = /^\/api\/v4\/verify\/([\w-]{1,100})$/;
const PROVE_PATH = /^\/dev\/prove\/([\w-]{1,100})$/;
const BODY_BYTES_MAX = 100_000;

/** What a made-up human signs: all that the proof is about. */
const statement = (rpId: string, action: string, nonce: string, signalHash: string): string =>
  ['World ID dev proof', rpId, action, nonce.toLowerCase(), signalHash.toLowerCase()].join('\n');

/** The same for one human, service and action, and different for every other. */
const nullifierOf = (human: string, rpId: string, action: string): string =>
  `0x${createHmac('sha256', human.toLowerCase()).update(`${rpId}\n${action}`).digest('hex').slice(0, 62)}`;

/** Hashes bytes to a field element, as World ID does with signals. */
const signalHashOf = async (signal: string): Promise<string> => {
  const { keccak256 } = await import('viem/utils');
  return `0x00${keccak256(signal.toLowerCase() as Hex).slice(2, 64)}`;
};

interface ProofRequest {
  readonly rpId: string;
  readonly action: string;
  readonly nonce: string;
  /** The wallet that the proof is for. */
  readonly signal: string;
  /** Private key of the made-up human. */
  readonly humanKey: Hex;
}

/** Makes the IDKit result that a made-up human's app would give. */
export async function makeDevProof({ rpId, action, nonce, signal, humanKey }: ProofRequest): Promise<Record<string, unknown>> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const human = privateKeyToAccount(humanKey);
  const signalHash = await signalHashOf(signal);
  const signature = await human.signMessage({ message: statement(rpId, action, nonce, signalHash) });
  const response = {
    identifier: LEVEL,
    signal_hash: signalHash,
    proof: [signature, human.address.toLowerCase(), '0x0', '0x0', '0x0'],
    nullifier: nullifierOf(human.address, rpId, action),
    issuer_schema_id: 1,
  };
  return { protocol_version: '4.0', nonce, action, environment: ENVIRONMENT, responses: [response] };
}

type Reply = readonly [status: number, body: Readonly<Record<string, unknown>>];

const refuse = (detail: string): Reply => [400, { success: false, code: 'all_verifications_failed', detail, note: NOTE }];

/** Starts the stand-in on a loopback port, 0 for any free one. */
export async function startWorldIdStub(port: Door): Promise<WorldIdStub> {
  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, [400, { success: false, code: 'invalid_request', detail: String(error), note: NOTE }]),
    );
  });
  const actualPort = await listenOnLoopback(server, port);
  return { url: `http://127.0.0.1:${actualPort}`, stop: () => closeServer(server) };
}

async function answer(request: IncomingMessage): Promise<Reply> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const verify = VERIFY_PATH.exec(path);
  const prove = PROVE_PATH.exec(path);
  if (request.method !== 'POST' || !(verify ?? prove)) return [404, { success: false, code: 'not_found', note: NOTE }];
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return refuse('the body is too large');
  const body = asObject(await json(request));
  return verify ? verifyProof(verify[1] ?? '', body) : proveFor(prove?.[1] ?? '', body);
}

/** Proves for a made-up human, who is anyone that names a key: what a phone with World App does elsewhere. */
async function proveFor(rpId: string, body: Json): Promise<Reply> {
  const [action, nonce, signal, humanKey] = ['action', 'nonce', 'signal', 'human_key'].map((name) => asText(body[name]));
  if (!action || !nonce || !signal || !humanKey) return refuse('action, nonce, signal and human_key are needed');
  return [200, await makeDevProof({ rpId, action, nonce, signal, humanKey: humanKey as Hex })];
}

async function verifyProof(rpId: string, body: Json): Promise<Reply> {
  const [action, nonce] = [asText(body['action']), asText(body['nonce'])];
  const responses = Array.isArray(body['responses']) ? body['responses'] : [];
  const response = asObject(responses[0]);
  const [signature, human] = (Array.isArray(response['proof']) ? response['proof'] : []).map(asText);
  const signalHash = asText(response['signal_hash']);
  if (!action || !nonce || !signature || !human || !signalHash) return refuse('the proof is incomplete');
  if (!(await isSignedBy(human, statement(rpId, action, nonce, signalHash), signature)))
    return refuse('the dev signature does not fit the proof');
  const nullifier = nullifierOf(human, rpId, action);
  if (response['nullifier'] !== nullifier) return refuse('the nullifier is not the one of this human');
  const created = new Date().toISOString();
  const results = [{ identifier: LEVEL, success: true, nullifier }];
  return [200, { success: true, action, nullifier, created_at: created, environment: ENVIRONMENT, results, note: NOTE }];
}

async function isSignedBy(human: string, message: string, signature: string): Promise<boolean> {
  const { verifyMessage } = await import('viem/utils');
  try {
    return await verifyMessage({ address: human as Hex, message, signature: signature as Hex });
  } catch {
    return false;
  }
}

function send(response: ServerResponse, [status, body]: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

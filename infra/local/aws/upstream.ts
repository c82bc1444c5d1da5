// The way to the emulators: raw bytes over kept-alive connections. The SDK is not used here, it would cost more
// than the emulators themselves.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import type { Readable } from 'node:stream';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface UpstreamRequest {
  readonly method: string;
  /** Path with query, percent-encoded. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

interface UpstreamReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'expect', 'host', 'content-length', 'upgrade', 'te', 'trailer'];

/** Copies headers without those of the connection; names in `without` (lower case) are left out too. */
export function endToEndHeaders(headers: IncomingHttpHeaders, without: readonly string[] = []): OutgoingHttpHeaders {
  const dropped = new Set([...HOP_BY_HOP, ...without]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

function sendOnce(base: string, call: UpstreamRequest): Promise<UpstreamReply | 'stale'> {
  return new Promise((resolve, reject) => {
    const length = call.body === undefined ? {} : { 'content-length': call.body.length };
    const request = httpRequest(new URL(base), { agent, method: call.method, path: call.path, headers: { ...call.headers, ...length } });
    request.on('response', (body) => resolve({ status: body.statusCode ?? 500, headers: body.headers, body }));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The emulator closed an idle connection in the moment we picked it up: it never saw the request.
      if (request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) resolve('stale');
      else reject(error);
    });
    request.end(call.body);
  });
}

/**
 * Sends one request to an emulator.
 *
 * @throws the network error when the emulator cannot be reached
 */
export async function callUpstream(base: string, call: UpstreamRequest): Promise<UpstreamReply> {
  for (;;) {
    const reply = await sendOnce(base, call);
    if (reply !== 'stale') return reply;
  }
}

/** Reads a stream to its end. */
export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

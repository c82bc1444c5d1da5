// Calls webhook endpoints: addresses that strangers chose, from inside the service. Public addresses only, pinned at
// connect time; no redirects; ten seconds in all; no more than 64 KB of an answer is read.
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Answer, Endpoints } from '#domain/ports/webhooks.ts';
import { cutText } from '#domain/values/text.ts';
import { isLoopbackUrl } from '#domain/webhooks/endpoint-url.ts';
import { AddressError, publicLookup, resolveName, type ResolveName } from './resolve-public.ts';
import { signatureHeaders } from './sign-delivery.ts';

const TOTAL_MS = 10_000;
/** Nobody needs a whole body to say 200, and an open stream would hold the function that waits for its end. */
const BODY_MS = 2000;
const ANSWER_BYTES_MAX = 65_536;
const EXCERPT_CHARACTERS = 200;
const HTTPS_PORT = 443;

export interface EndpointSettings {
  /** Names the service in `user-agent`. */
  readonly userAgent: string;
  /** The local stack alone: lets `http://127.0.0.1` through. */
  readonly allowsLoopback: boolean;
  /** Name servers and certificates of a test. */
  readonly resolve?: ResolveName;
  readonly certificateAuthority?: string;
}

type Reply = { readonly status: number; readonly excerpt: string; readonly retryAfterSeconds?: number };

/** Seconds of a `Retry-After` header, given as such or as a date. */
export const readRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1000));
};

/** Control characters would let an answer rewrite the screen of whoever reads the log. */
const excerptOf = (bytes: Buffer): string =>
  cutText(bytes.toString('utf8', 0, EXCERPT_CHARACTERS * 4).replaceAll(/[\p{Cc}\p{Cf}\uFFFD]+/gu, ' '), EXCERPT_CHARACTERS).trim();

/** As much of the body as comes in time; it may break off, or never end. */
const readAnswer = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const giveUp = setTimeout(() => response.destroy(), BODY_MS);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // What came so far is the excerpt.
  } finally {
    clearTimeout(giveUp);
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX);
};

const replyOf = async (response: IncomingMessage): Promise<Reply> => {
  const retryAfterSeconds = readRetryAfter(response.headers['retry-after'], Date.now());
  const bytes = await readAnswer(response);
  return { status: response.statusCode ?? 0, excerpt: excerptOf(bytes), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
};

/** A literal address never reaches the lookup, so it is refused here, whatever was registered. */
const optionsFor = (url: URL, settings: EndpointSettings): RequestOptions => {
  if (settings.allowsLoopback && isLoopbackUrl(url)) return {};
  if (url.protocol !== 'https:') throw new AddressError('the address is not https');
  if (url.hostname.startsWith('[') || isIP(url.hostname) !== 0) throw new AddressError('the address names no host');
  return { lookup: publicLookup(settings.resolve ?? resolveName) };
};

const connect = (url: URL, settings: EndpointSettings, options: RequestOptions) => {
  if (url.protocol === 'http:') return requestHttp(url, options);
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return requestHttps(url, { ...options, port, ...(settings.certificateAuthority !== undefined && { ca: settings.certificateAuthority }) });
};

const post = (url: URL, body: string, headers: Record<string, string>, settings: EndpointSettings, signal: AbortSignal): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const options = { ...optionsFor(url, settings), method: 'POST', headers, signal, agent: false };
    const request = connect(url, settings, options);
    request.once('error', reject);
    request.on('response', (response) => {
      // The status is the answer: what becomes of the connection after it only costs the excerpt.
      request.off('error', reject).on('error', () => undefined);
      void replyOf(response).then(resolve, reject);
    });
    request.end(body);
  });

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the name has no address',
  EPIPE: 'the connection was closed',
};

/** What the owner of the endpoint may read of an error; texts of the system could tell about our inside. */
const failureText = (error: unknown): string => {
  if (error instanceof AddressError) return error.message;
  const { code = '', cause } = error as { readonly code?: string; readonly cause?: unknown };
  if (cause instanceof AddressError) return cause.message;
  const known = FAILURES[code];
  if (known !== undefined) return known;
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return `the certificate is not valid (${code})`;
  if (/SSL|TLS|EPROTO/.test(code)) return 'TLS could not be agreed on';
  return /^HPE_|PARSE/.test(code) ? 'the answer is not HTTP' : 'the call failed';
};

/** Opens the way to endpoints; every fault of theirs is an answer, never an exception. */
export const openEndpoints = (settings: EndpointSettings): Endpoints => ({
  post: async (url, body, signing): Promise<Answer> => {
    const startedAt = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - startedAt);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': settings.userAgent,
      ...signatureHeaders(body, signing),
    };
    const signal = AbortSignal.timeout(TOTAL_MS);
    try {
      const reply = await post(new URL(url), body, headers, settings, signal);
      return { kind: 'answered', ...reply, latencyMs: latencyMs() };
    } catch (error) {
      const text = signal.aborted ? `no answer within ${TOTAL_MS / 1000} seconds` : failureText(error);
      return { kind: 'failed', error: text, latencyMs: latencyMs() };
    }
  },
});

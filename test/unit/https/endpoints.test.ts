// Calls to endpoints over real sockets. One loopback address plays the public internet, all others stay what they are, so
// that a listening socket sees whatever gets through.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createPlainServer, type RequestListener, type Server as PlainServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openEndpoints, readRetryAfter } from '#adapters/https/endpoints.ts';
import type { ResolveName } from '#adapters/https/resolve-public.ts';

const PUBLIC = '127.0.0.1';
const PRIVATE = '127.0.0.2';

vi.mock('#adapters/https/public-address.ts', () => ({ isPublicAddress: (address: string) => address === '127.0.0.1' }));

const fixture = (name: string): string => readFileSync(new URL(`../../fixtures/https/${name}.pem`, import.meta.url), 'utf8');
const certificate = fixture('certificate');
const SIGNING = {
  id: '01kx0000000000000000000000',
  timestamp: 1_790_000_000,
  secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
};

const servers: (Server | PlainServer)[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const listen = async (server: Server | PlainServer, host: string, port = 0): Promise<{ port: number; connections: () => number }> => {
  let count = 0;
  servers.push(server);
  server.on('connection', () => {
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { port: (server.address() as AddressInfo).port, connections: () => count };
};

const secure = (listener: RequestListener): Server => createServer({ cert: certificate, key: fixture('key') }, listener);
const answering =
  (status: number, headers: Record<string, string> = {}, body = 'fine'): RequestListener =>
  (request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status, headers).end(body));
  };

const endpoints = (resolve: ResolveName, options: { readonly trusts?: boolean; readonly allowsLoopback?: boolean } = {}) =>
  openEndpoints({
    userAgent: 'test',
    allowsLoopback: options.allowsLoopback === true,
    resolve,
    ...(options.trusts !== false && { certificateAuthority: certificate }),
  });

const post = (url: string, resolve: ResolveName, options: { readonly trusts?: boolean; readonly allowsLoopback?: boolean } = {}) =>
  endpoints(resolve, options).post(url, '{"type":"message.received"}', SIGNING);

describe('a call', () => {
  it('default: sends the body with all signatures to the address that the name resolved to', async () => {
    const seen: { headers: Record<string, unknown>; body: string; host: string | undefined }[] = [];
    const { port } = await listen(
      secure((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          seen.push({ headers: request.headers, body, host: request.headers.host });
          response.writeHead(202).end('taken');
        });
      }),
      PUBLIC,
    );

    const answer = await post(`https://hooks.example.com:${port}/in?a=1`, async () => [PUBLIC]);

    expect(answer).toMatchObject({ kind: 'answered', status: 202, excerpt: 'taken' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      body: '{"type":"message.received"}',
      host: `hooks.example.com:${port}`,
      headers: {
        'webhook-id': SIGNING.id,
        'webhook-timestamp': '1790000000',
        'webhook-signature': 'v1,btzr18Jc8QlQaw2fn+9FELOj7GLqKyaoFzJWr4GBLLs=',
        'x-service-signature': 'sha256=a03d555030b3a278245897b8b4c6d0a2e982a86b7c56dfca574b6a604a3c1c54',
        'content-type': 'application/json',
      },
    });
  });

  it('error: a certificate that nobody vouches for, or for another name, is refused', async () => {
    const { port } = await listen(secure(answering(200)), PUBLIC);

    const unknown = await post(`https://hooks.example.com:${port}/`, async () => [PUBLIC], { trusts: false });
    const otherName = await post(`https://other.example.com:${port}/`, async () => [PUBLIC]);

    expect(unknown).toMatchObject({ kind: 'failed', error: expect.stringContaining('certificate') });
    expect(otherName).toMatchObject({ kind: 'failed', error: expect.stringContaining('certificate') });
  });

  it('behavior: a body that never ends is no reason to wait, nor to doubt the status', async () => {
    const { port } = await listen(
      secure((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('taken');
      }),
      PUBLIC,
    );
    const answer = await post(`https://hooks.example.com:${port}/`, async () => [PUBLIC]);

    expect(answer).toMatchObject({ kind: 'answered', status: 200, excerpt: 'taken' });
  });

  it('behavior: an excerpt is cut between characters', async () => {
    const { port } = await listen(
      secure((_request, response) => response.end('😀'.repeat(2000))),
      PUBLIC,
    );
    const answer = await post(`https://hooks.example.com:${port}/`, async () => [PUBLIC]);

    expect(answer).toMatchObject({ kind: 'answered', excerpt: expect.stringMatching(/^(?:😀)+$/u) });
  });

  it('behavior: a redirect is an answer like any other, and is not followed', async () => {
    const inside = await listen(createPlainServer(answering(200)), PRIVATE);
    const { port } = await listen(secure(answering(302, { location: `http://${PRIVATE}:${inside.port}/latest/meta-data` })), PUBLIC);

    expect(await post(`https://hooks.example.com:${port}/`, async () => [PUBLIC])).toMatchObject({ kind: 'answered', status: 302 });
    expect(inside.connections()).toBe(0);
  });

  it('behavior: of an endless answer 64 KB are read, and the log gets the first 200 characters without control characters', async () => {
    let written = 0;
    const { port } = await listen(
      secure((request, response) => {
        request.resume();
        const block = '\u001b[31mab'.repeat(1024);
        const pump = (): void => {
          while (!response.destroyed && response.write(block)) written += block.length;
          if (!response.destroyed) response.once('drain', pump);
        };
        pump();
      }),
      PUBLIC,
    );

    const answer = await post(`https://hooks.example.com:${port}/`, async () => [PUBLIC]);

    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    const excerpt = answer.kind === 'answered' ? answer.excerpt : '';
    expect(excerpt.length).toBeLessThanOrEqual(200);
    expect(excerpt).not.toMatch(/\p{Cc}/u);
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('behavior: Retry-After is told in seconds and as a date', async () => {
    const { port } = await listen(secure(answering(503, { 'retry-after': '77' })), PUBLIC);

    expect(await post(`https://hooks.example.com:${port}/`, async () => [PUBLIC])).toMatchObject({ status: 503, retryAfterSeconds: 77 });
    expect(readRetryAfter('Wed, 21 Oct 2026 07:28:00 GMT', Date.parse('2026-10-21T07:27:00Z'))).toBe(60);
    expect(readRetryAfter('Wed, 21 Oct 2026 07:28:00 GMT', Date.parse('2026-10-21T07:29:00Z'))).toBe(0);
    expect(readRetryAfter('soon', 0)).toBeUndefined();
    expect(readRetryAfter(undefined, 0)).toBeUndefined();
  });

  it('error: a refused connection and a broken answer are failures in plain words', async () => {
    const closed = await listen(createPlainServer(answering(200)), PUBLIC);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const plain = await listen(createPlainServer(answering(200)), PUBLIC);

    expect(await post(`https://hooks.example.com:${closed.port}/`, async () => [PUBLIC])).toMatchObject({
      error: 'the connection was refused',
    });
    expect(await post(`https://hooks.example.com:${plain.port}/`, async () => [PUBLIC])).toMatchObject({
      error: 'TLS could not be agreed on',
    });
  });
});

describe('addresses inside', () => {
  it('error: a name that answers public first and private then never gets a connection to the private one', async () => {
    const outside = await listen(secure(answering(200)), PUBLIC);
    const inside = await listen(secure(answering(200)), PRIVATE, outside.port);
    let asked = 0;
    const rebinding: ResolveName = async () => {
      asked += 1;
      return asked === 1 ? [PUBLIC] : [PRIVATE];
    };
    const open = endpoints(rebinding);
    const url = `https://hooks.example.com:${outside.port}/`;

    const first = await open.post(url, '{}', SIGNING);
    const askedByFirst = asked;
    const second = await open.post(url, '{}', SIGNING);

    expect(first).toMatchObject({ kind: 'answered', status: 200 });
    expect(askedByFirst).toBe(1);
    expect(second).toMatchObject({ kind: 'failed', error: 'the name leads to an address that is not public' });
    expect(outside.connections()).toBe(1);
    expect(inside.connections()).toBe(0);
  });

  it('error: one private address among public ones refuses the name', async () => {
    const outside = await listen(secure(answering(200)), PUBLIC);
    const inside = await listen(secure(answering(200)), PRIVATE, outside.port);

    const answer = await post(`https://hooks.example.com:${outside.port}/`, async () => [PUBLIC, PRIVATE]);

    expect(answer).toMatchObject({ kind: 'failed' });
    expect([outside.connections(), inside.connections()]).toEqual([0, 0]);
  });

  it('error: a name without an address', async () => {
    expect(await post('https://hooks.example.com/', async () => [])).toMatchObject({ error: 'the name has no address' });
  });

  it.each([
    'https://127.0.0.2:PORT/',
    'https://[::ffff:7f00:2]:PORT/',
    'https://2130706434:PORT/',
    'https://0x7f000002:PORT/',
    'http://127.0.0.2:PORT/',
    'http://localhost:PORT/',
  ])('error: %s is refused before a socket is made, whatever was registered', async (pattern) => {
    const inside = await listen(createPlainServer(answering(200)), PRIVATE);

    const answer = await post(pattern.replace('PORT', String(inside.port)), async () => [PUBLIC], { allowsLoopback: true });

    expect(answer).toMatchObject({ kind: 'failed' });
    expect(inside.connections()).toBe(0);
  });

  it('behavior: http://127.0.0.1 is reached where it is allowed, and nowhere else', async () => {
    const here = await listen(createPlainServer(answering(200)), '127.0.0.1');
    const url = `http://127.0.0.1:${here.port}/`;

    expect(await post(url, async () => [PUBLIC], { allowsLoopback: true })).toMatchObject({ kind: 'answered', status: 200 });
    expect(await post(url, async () => [PUBLIC])).toMatchObject({ kind: 'failed', error: 'the address is not https' });
    expect(here.connections()).toBe(1);
  });
});

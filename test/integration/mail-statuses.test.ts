// Every status that the interface names for the Email section, provoked on the running stack.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, newAgent, newWallet, signedMessage } from '#test/support/agents.ts';
import type { ApiReply } from '#test/support/api-client.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

let alice: Agent;
let bob: Agent;
let withoutHandle = '';
/** Unread mails of bob's, one for each case that uses one up. */
const unread: string[] = [];
let large = '';

const MESSAGE = { subject: 's', body: 'b' };
const MEGABYTE = 1024 * 1024;

const call = (method: string, path: string, token: string | undefined, body?: unknown): Promise<ApiReply> =>
  running.current.api.call(method, path, { ...(token !== undefined && { token }), ...(body !== undefined && { body }) });

const send = (body: Record<string, unknown>, token: string | undefined = alice.token) =>
  call('POST', '/api/send', token, { ...MESSAGE, ...body });

const uploaded = async (agent: Agent, bytes: Uint8Array): Promise<string> => {
  const { body } = await call('POST', '/api/uploads', agent.token, {
    filename: 'f',
    content_type: 'application/zip',
    size: bytes.byteLength,
  });
  const url = String(body['url']);
  const taken = await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/zip' }, body: new Uint8Array(bytes) });
  expect(taken.status).toBe(200);
  return String(body['upload_id']);
};

beforeAll(async () => {
  const { api } = running.current;
  [alice, bob] = [await newAgent(api), await newAgent(api)];
  const verified = await api.post('/api/auth/verify', await signedMessage(api, newWallet()));
  withoutHandle = String(verified.body['token']);
  for (let i = 0; i < 4; i += 1)
    unread.push(String((await send({ to: bob.email, attachments: [{ filename: 'a', data: 'aGk=' }] })).body['email_id']));
  const upload_id = await uploaded(alice, randomBytes(5 * MEGABYTE));
  large = String((await send({ to: bob.email, attachments: [{ filename: 'f', upload_id }] })).body['email_id']);
}, 120_000);

afterEach(() => running.current.control.clearFaults());

const outcome = ({ status, body }: ApiReply): unknown[] => [status, ...(status >= 400 ? [body['code']] : [])];

describe('POST /api/send', () => {
  it.each<[string, () => Promise<ApiReply>, unknown[]]>([
    ['200 inside', () => send({ to: bob.email }), [200]],
    ['200 outside', () => send({ to: 'x@example.com' }), [200]],
    ['200 for a wallet without an account', () => send({ to: `${newWallet().address}@agents.localhost.test` }), [200]],
    ['400 without a recipient', () => send({}), [400, 'invalid_request']],
    ['400 without a subject', () => send({ to: bob.email, subject: undefined }), [400, 'invalid_request']],
    ['400 without a body', () => send({ to: bob.email, body: '' }), [400, 'invalid_request']],
    ['400 for a broken recipient', () => send({ to: 'not an address' }), [400, 'invalid_recipient']],
    ['400 for two recipients', () => send({ to: 'a@example.com, b@example.com' }), [400, 'invalid_recipient']],
    ['400 for a subject of two lines', () => send({ to: bob.email, subject: 'a\r\nBcc: x@example.com' }), [400, 'invalid_request']],
    [
      '400 for data that is not base64',
      () => send({ to: bob.email, attachments: [{ filename: 'a', data: '***' }] }),
      [400, 'invalid_request'],
    ],
    [
      '400 for a payment that is none',
      () => send({ to: bob.email, usdc_payment: { tx_hash: '0x12', amount: '1' } }),
      [400, 'invalid_transaction_hash'],
    ],
    ['401 with a false credential', () => send({ to: bob.email }, 'nonsense'), [401, 'unauthorized']],
    ['402 without a credential', () => call('POST', '/api/send', undefined, { ...MESSAGE, to: bob.email }), [402, 'payment_required']],
    ['403 without a handle', () => send({ to: bob.email }, withoutHandle), [403, 'no_handle']],
    ['404 for nobody', () => send({ to: 'nobody-of-that-name@agents.localhost.test' }), [404, 'not_found']],
    ['404 for an answer to nothing', () => send({ to: bob.email, in_reply_to: 'x' }), [404, 'not_found']],
  ])('%s', async (_name, provoke, wanted) => {
    expect(outcome(await provoke())).toEqual(wanted);
  });

  it('400 for an attachment over 10 MB', async () => {
    const announced = await call('POST', '/api/uploads', alice.token, { filename: 'f', content_type: 'a/b', size: 10 * MEGABYTE + 1 });

    expect(outcome(announced)).toEqual([400, 'attachment_too_large']);
  });

  it('402 without credits, with what to do about it', async () => {
    const { api, control } = running.current;
    const spender = await newAgent(api);
    for (let i = 0; i < 10; i += 1) expect((await send({ to: `p${i}@example.com` }, spender.token)).status).toBe(200);
    await control.advance(3600);
    const refused = await send({ to: 'p@example.com' }, spender.token);

    expect(outcome(refused)).toEqual([402, 'out_of_credits']);
    expect(refused.body).toMatchObject({ credits: 0, upgrade: { pricing: {}, dashboard: expect.any(String) } });
    expect((await send({ to: bob.email }, spender.token)).status).toBe(200);
  });

  it('413 for over 1 MB to a wallet without an account', async () => {
    const upload_id = await uploaded(alice, randomBytes(MEGABYTE));
    const to = `${newWallet().address}@agents.localhost.test`;

    expect(outcome(await send({ to, attachments: [{ filename: 'f', upload_id }] }))).toEqual([413, 'prestore_too_large']);
  });

  it('429 for the eleventh mail that waits for one wallet', async () => {
    const to = `${newWallet().address}@agents.localhost.test`;
    for (let i = 0; i < 10; i += 1) expect((await send({ to })).status).toBe(200);
    const refused = await send({ to });

    expect(outcome(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('500 when the provider refuses', async () => {
    await running.current.control.setFaults([{ service: 'ses', operation: 'SendRawEmail', effect: 'throttle', count: 9 }]);

    expect(outcome(await send({ to: 'refused@example.com' }))).toEqual([500, 'delivery_failed']);
  });
});

describe('the inbox', () => {
  const PATHS = [
    ['GET', '/api/inbox'],
    ['POST', '/api/inbox/mark-read'],
    ['GET', '/api/inbox/01k9zzzzzzzzzzzzzzzzzzzzzz'],
    ['DELETE', '/api/inbox/01k9zzzzzzzzzzzzzzzzzzzzzz'],
    ['GET', '/api/inbox/01k9zzzzzzzzzzzzzzzzzzzzzz/raw'],
    ['GET', '/api/inbox/01k9zzzzzzzzzzzzzzzzzzzzzz/attachment/0'],
    ['POST', '/api/inbox/01k9zzzzzzzzzzzzzzzzzzzzzz/reject'],
    ['POST', '/api/uploads'],
  ] as const;

  it.each(PATHS)('401 and 403: %s %s', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;

    expect(outcome(await call(method, path, undefined, body))).toEqual([401, 'unauthorized']);
    expect(outcome(await call(method, path, 'bm_live_nonsense', body))).toEqual([401, 'unauthorized']);
    expect(outcome(await call(method, path, withoutHandle, body))).toEqual([403, 'no_handle']);
  });

  it.each(PATHS.filter(([, path]) => path.includes('01k9')))('404: %s %s', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;
    const unknown = await call(method, path, bob.token, body);
    const malformed = await call(method, path.replace('01k9zzzzzzzzzzzzzzzzzzzzzz', '..%2F..%2Fetc'), bob.token, body);

    expect([outcome(unknown), unknown.body['error']]).toEqual([[404, 'not_found'], 'Email not found']);
    expect(outcome(malformed)).toEqual([404, 'not_found']);
  });

  it.each<[string, () => Promise<ApiReply>, unknown[]]>([
    ['200: list', () => call('GET', '/api/inbox?limit=500', bob.token), [200]],
    ['400: limit=0', () => call('GET', '/api/inbox?limit=0', bob.token), [400, 'invalid_request']],
    ['400: limit=x', () => call('GET', '/api/inbox?limit=x', bob.token), [400, 'invalid_request']],
    ['400: offset=-1', () => call('GET', '/api/inbox?offset=-1', bob.token), [400, 'invalid_request']],
    ['400: offset over 100,000', () => call('GET', '/api/inbox?offset=100001', bob.token), [400, 'invalid_request']],
    ['400: a made-up cursor', () => call('GET', '/api/inbox?cursor=i0nonsense', bob.token), [400, 'invalid_request']],
    [
      '400: a cursor of another folder',
      () => call('GET', `/api/inbox?folder=sent&cursor=i0${unread[0]}`, bob.token),
      [400, 'invalid_request'],
    ],
    ['400: folder', () => call('GET', '/api/inbox?folder=trash', bob.token), [400, 'invalid_request']],
    ['400: sort', () => call('GET', '/api/inbox?bonded=true&sort=size', bob.token), [400, 'invalid_request']],
    ['400: order', () => call('GET', '/api/inbox?bonded=true&order=up', bob.token), [400, 'invalid_request']],
    ['200: raw', () => call('GET', `/api/inbox/${unread[0]}/raw`, bob.token), [200]],
    ['307: raw of a large mail', () => call('GET', `/api/inbox/${large}/raw`, bob.token), [307]],
    ['200: attachment', () => call('GET', `/api/inbox/${unread[0]}/attachment/0`, bob.token), [200]],
    ['307: attachment of a large mail', () => call('GET', `/api/inbox/${large}/attachment/0`, bob.token), [307]],
    ['404: attachment', () => call('GET', `/api/inbox/${unread[0]}/attachment/1`, bob.token), [404, 'not_found']],
    ['200: reject', () => call('POST', `/api/inbox/${unread[1]}/reject`, bob.token, {}), [200]],
    ['400: reject again', () => call('POST', `/api/inbox/${unread[1]}/reject`, bob.token, {}), [400, 'email_already_read']],
    ['404: reject of the sent copy', () => call('POST', `/api/inbox/${unread[2]}/reject`, alice.token, {}), [404, 'not_found']],
    ['200: detail', () => call('GET', `/api/inbox/${unread[2]}`, bob.token), [200]],
    ['200: mark-read without a body', () => call('POST', '/api/inbox/mark-read', bob.token), [200]],
    [
      '400: mark-read of an unknown folder',
      () => call('POST', '/api/inbox/mark-read', bob.token, { folder: 'trash' }),
      [400, 'invalid_request'],
    ],
    ['200: delete', () => call('DELETE', `/api/inbox/${unread[3]}`, bob.token), [200]],
    ['404: delete again', () => call('DELETE', `/api/inbox/${unread[3]}`, bob.token), [404, 'not_found']],
  ])('%s', async (_name, provoke, wanted) => {
    expect(outcome(await provoke())).toEqual(wanted);
  });

  it('404: raw of a mail whose bytes are gone with it, for both kinds of content', async () => {
    const { body } = await send({ to: bob.email, attachments: [{ filename: 'a', data: 'aGk=' }] });
    const path = `/api/inbox/${body['email_id']}`;
    await call('DELETE', path, bob.token);

    expect(outcome(await call('GET', `${path}/raw`, bob.token))).toEqual([404, 'not_found']);
    expect(outcome(await call('GET', `${path}/attachment/0`, bob.token))).toEqual([404, 'not_found']);
    expect(outcome(await call('GET', `${path}/raw`, alice.token))).toEqual([200]);
  });
});

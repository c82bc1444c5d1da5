// Large attachments: uploaded by the caller, bound to their size and type, and the same bytes wherever the message goes.
import { createHash, randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { outbox } from '#test/support/outside-mail.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

const MEGABYTE = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Upload {
  readonly upload_id: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly expires_at: number;
}

const TYPE = 'application/zip; version="2.0 beta"';

const begin = async (agent: Agent, size: number, contentType = TYPE): Promise<Upload> => {
  const reply = await running.current.api.post('/api/uploads', { filename: 'big.zip', content_type: contentType, size }, agent.token);
  expect(reply.status).toBe(200);
  return reply.body as unknown as Upload;
};

const put = ({ url, method, headers }: Upload, bytes: Uint8Array, other: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method, headers: { 'content-type': headers['content-type'] ?? '', ...other }, body: new Uint8Array(bytes) });

const uploaded = async (agent: Agent, bytes: Uint8Array): Promise<string> => {
  const upload = await begin(agent, bytes.byteLength);
  expect((await put(upload, bytes)).status).toBe(200);
  return upload.upload_id;
};

const send = (from: Agent, to: string, attachments: readonly Record<string, unknown>[]) =>
  running.current.api.post('/api/send', { to, subject: 'A file', body: 'See the file', attachments }, from.token);

describe('an uploaded attachment', () => {
  it('default: 10 MB reach an agent and the outside with the same bytes', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const bytes = randomBytes(10 * MEGABYTE);
    const upload_id = await uploaded(alice, bytes);

    const inside = await send(alice, bob.email, [{ filename: 'big.zip', upload_id }]);
    const outside = await send(alice, 'someone@example.com', [{ filename: 'big.zip', upload_id }]);

    expect([inside.status, outside.status]).toEqual([200, 200]);
    const path = `/api/inbox/${inside.body['email_id']}`;
    const detail = await api.get(path, bob.token);
    expect(detail.body['attachments']).toMatchObject([
      { filename: 'big.zip', content_type: TYPE, size: bytes.byteLength, sha256: sha256(bytes) },
    ]);
    expect(detail.body).toMatchObject({ body_truncated: true });
    const redirect = await api.get(`${path}/attachment/0`, bob.token);
    expect(redirect.status).toBe(307);
    const file = await fetch(redirect.headers.get('location') ?? '');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(file.headers.get('content-type')).toBe(TYPE);
    expect(sha256(new Uint8Array(await file.arrayBuffer()))).toBe(sha256(bytes));
    const left = (await outbox(running.current)).find((mail) => mail.bytes.includes(String(outside.body['email_id'])));
    const parsed = await PostalMime.parse(left?.bytes ?? '');
    expect(sha256(new Uint8Array(parsed.attachments[0]?.content as ArrayBuffer))).toBe(sha256(bytes));
  });

  it('error: another size or type than announced is not taken, and what is missing cannot be sent', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const upload = await begin(alice, 1000);

    expect((await put(upload, randomBytes(1001))).status).toBe(403);
    expect((await put(upload, randomBytes(1000), { 'content-type': 'text/html' })).status).toBe(403);
    const refused = await send(alice, bob.email, [{ filename: 'x', upload_id: upload.upload_id }]);
    expect([refused.status, refused.body['code']]).toEqual([400, 'upload_not_found']);
    expect((await put(upload, randomBytes(1000))).status).toBe(200);
    expect((await send(alice, bob.email, [{ filename: 'x', upload_id: upload.upload_id }])).status).toBe(200);
  });

  it("error: someone else's, a made-up and an expired one are all the same 400", async () => {
    const { api, control } = running.current;
    const [alice, eve] = [await newAgent(api), await newAgent(api)];
    const upload_id = await uploaded(alice, randomBytes(100));
    const late = await begin(alice, 100);
    const refusals = [
      await send(eve, alice.email, [{ filename: 'x', upload_id }]),
      await send(alice, eve.email, [{ filename: 'x', upload_id: 'no-such-upload' }]),
    ];
    await control.advance(3601);
    refusals.push(await send(alice, eve.email, [{ filename: 'x', upload_id }]));

    expect(refusals.map(({ status, body }) => [status, body['code']])).toEqual(Array.from({ length: 3 }, () => [400, 'upload_not_found']));
    expect((await put(late, randomBytes(100))).status).toBe(403);
  });

  it('behavior: the same Idempotency-Key begins one upload', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const request = () =>
      api.post('/api/uploads', { filename: 'a', content_type: 'text/plain', size: 5 }, alice.token, { 'idempotency-key': 'u1' });
    const [first, second] = [await request(), await request()];

    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });
});

describe('what is too large', () => {
  it('error: a file over 10 MB is 400, inline or announced', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const announced = await api.post('/api/uploads', { filename: 'a', content_type: 'text/plain', size: 10 * MEGABYTE + 1 }, alice.token);

    expect([announced.status, announced.body['code']]).toEqual([400, 'attachment_too_large']);
  });

  it('error: a body of 5.5 MB is 413 with a hint to uploads', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const reply = await send(alice, alice.email, [{ filename: 'a', data: Buffer.alloc(4.1 * MEGABYTE).toString('base64') }]);

    expect([reply.status, reply.body['code']]).toEqual([413, 'payload_too_large']);
    expect(reply.body['hint']).toContain('/api/uploads');
  });

  it('error: more than 20 attachments are 413', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const reply = await send(
      alice,
      alice.email,
      Array.from({ length: 21 }, (_, i) => ({ filename: `f${i}`, data: 'aGk=' })),
    );

    expect([reply.status, reply.body['code']]).toEqual([413, 'payload_too_large']);
    expect(
      (
        await send(
          alice,
          alice.email,
          Array.from({ length: 20 }, (_, i) => ({ filename: `f${i}`, data: 'aGk=' })),
        )
      ).body['attachments'],
    ).toBe(20);
  });

  it('error: a message over 40 MB is 413; one of 39 goes inside and, by the second interface, outside', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push(await uploaded(alice, randomBytes(9.4 * MEGABYTE)));
    const files = ids.map((upload_id, i) => ({ filename: `f${i}`, upload_id }));
    const sent = [await send(alice, bob.email, files), await send(alice, 'someone@example.com', files)];
    const fourth = { filename: 'f3', upload_id: await uploaded(alice, randomBytes(9.4 * MEGABYTE)) };
    const refused = await send(alice, bob.email, [...files, fourth]);

    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    expect([refused.status, refused.body['code']]).toEqual([413, 'payload_too_large']);
    expect((await outbox(running.current)).some(({ bytes }) => bytes.byteLength > 38 * MEGABYTE)).toBe(true);
  });
});

// What request schemas take, refuse and say, at the edges.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { REQUEST_EXAMPLES } from '#contract/examples.ts';
import { authRoutes } from '#contract/routes/auth.ts';
import { mailboxRoutes } from '#contract/routes/mailbox.ts';
import { registrationRoutes } from '#contract/routes/registration.ts';
import { sendingRoutes } from '#contract/routes/sending.ts';
import { webhooksRoutes } from '#contract/routes/webhooks.ts';
import { worldIdRoutes } from '#contract/routes/world-id.ts';
import { ROUTES } from '#contract/routes.ts';
import { parseInput } from '#contract/validate.ts';

const listQuery = (query: Record<string, string>) => parseInput(mailboxRoutes.listInbox.query, query);
const send = (extra: Record<string, unknown>) =>
  parseInput(sendingRoutes.sendEmail.body, { to: 'bob@agents.example', subject: 'Hello', body: 'Hi', ...extra });

const refusal = (result: ReturnType<typeof parseInput>) => (result.ok ? 'taken' : [result.code, result.detail.message]);
const ADDRESS = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';

describe('query of a list', () => {
  it('default: a missing query gives the first 20 of the inbox', () => {
    const result = listQuery({});

    expect(result.ok && result.value).toStrictEqual({ folder: 'inbox', limit: 20, offset: 0, bonded: false, sort: 'created_at' });
  });

  it.each([
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['99999999999999999999', 100],
  ])('behavior: limit=%s is served as %i', (limit, served) => {
    const result = listQuery({ limit });

    expect(result.ok && result.value.limit).toBe(served);
  });

  it.each(['abc', '1.5', '', '0', '-1', '1e2', ' 5', '0x10', '5,6', 'NaN'])('error: limit=%s is refused', (limit) => {
    expect(refusal(listQuery({ limit }))).toStrictEqual(['invalid_request', 'limit must be a whole number of at least 1']);
  });

  it('error: an offset beyond 100,000 points to the cursor', () => {
    const result = listQuery({ offset: '100001' });

    expect(!result.ok && result.detail.hint).toContain('cursor');
    expect(listQuery({ offset: '100000' }).ok).toBe(true);
    expect(listQuery({ offset: '-1' }).ok).toBe(false);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('behavior: bonded=%s is read', (bonded, meant) => {
    const result = listQuery({ bonded });

    expect(result.ok && result.value.bonded).toBe(meant);
  });

  it('error: unknown words are refused', () => {
    for (const query of [{ folder: 'spam' }, { sort: 'size' }, { order: 'up' }, { bonded: 'yes' }]) expect(listQuery(query).ok).toBe(false);
  });
});

describe('sign-in', () => {
  it('error: each missing field is named', () => {
    expect(refusal(parseInput(authRoutes.authAgentRegister.body, {}))).toStrictEqual([
      'invalid_request',
      'address is required; signature is required; message is required',
    ]);
  });

  it('behavior: the address comes out lower-case, text and signature untouched', () => {
    const body = { address: ADDRESS, signature: '0xAB', message: 'Text\nMore ' };
    const result = parseInput(authRoutes.authVerify.body, body);

    expect(result.ok && result.value).toStrictEqual({ ...body, address: ADDRESS.toLowerCase() });
  });

  it('error: sizes and shapes are bounded', () => {
    const good = { address: ADDRESS, signature: '0xab', message: 'text' };
    for (const bad of [
      { address: '0x12' },
      { signature: 'ab' },
      { signature: '0xabc' },
      { signature: `0x${'a'.repeat(20_000)}` },
      { message: 'x'.repeat(4097) },
    ]) {
      expect(parseInput(authRoutes.authVerify.body, { ...good, ...bad }).ok).toBe(false);
    }
  });
});

describe('send', () => {
  it.each(['to', 'subject', 'body'])('error: without %s it says so', (field) => {
    expect(refusal(send({ [field]: undefined }))).toStrictEqual(['invalid_request', `${field} is required`]);
    expect(refusal(send({ [field]: '' }))).toStrictEqual(['invalid_request', `${field} is required`]);
  });

  it('behavior: unknown fields are ignored', () => {
    const result = send({ bcc: 'eve@agents.example' });

    expect(result.ok && Object.keys(result.value)).toStrictEqual(['to', 'subject', 'body']);
  });

  it('error: an attachment has either data or an upload, a safe name and real base64', () => {
    const named = { filename: 'a.txt', content_type: 'text/plain' };
    const bad = [named, { ...named, data: '', upload_id: 'u' }, { ...named, data: '!!' }, { ...named, filename: 'a\r\nX: y', data: '' }];
    for (const attachment of bad) expect(send({ attachments: [attachment] }).ok).toBe(false);
    for (const data of ['', 'aGk=', 'aGk', 'aA', 'aA==', 'aGkh', 'aG\nk=\n', 'aA=\n=\n'])
      expect(send({ attachments: [{ ...named, data }] }).ok).toBe(true);
    expect(send({ attachments: Array.from({ length: 21 }, () => ({ ...named, data: '' })) }).ok).toBe(false);
  });

  it.each([
    ['abcde', 'cut off'],
    ['a', 'cut off'],
    ['a====', 'cut off'],
    ['aGk==', 'padding'],
    ['aA=', 'padding'],
    ['aGkh====', 'padding'],
    ['=', 'padding'],
    ['aA= aA=', '= may only end it'],
    ['aGk_', 'letters, digits, + and /'],
  ])('error: the base64 %j is refused instead of stored cut, and the error says why', (data, reason) => {
    const [code, message] = refusal(send({ attachments: [{ filename: 'a.txt', data }] }));

    expect(code).toBe('invalid_request');
    expect(message).toContain(reason);
  });

  it('error: an upload over 10 MB has its own code', () => {
    const upload = (size: unknown) => parseInput(sendingRoutes.createUpload.body, { filename: 'a', content_type: 'text/plain', size });
    const tooLarge = upload(10 * 1024 * 1024 + 1);

    expect(upload(10 * 1024 * 1024).ok).toBe(true);
    expect(!tooLarge.ok && tooLarge.code).toBe('attachment_too_large');
    for (const size of [0, -1, 1.5, '5', undefined]) expect(upload(size).ok).toBe(false);
  });
});

describe('names and paths', () => {
  it('error: a name outside the pattern is invalid_name', () => {
    for (const name of ['ab', '-abc', 'abc-', 'Abc', 'a.b', 'a'.repeat(33)]) {
      const result = parseInput(registrationRoutes.getNamePrice.params, { name });
      expect(!result.ok && result.code).toBe('invalid_name');
    }
    expect(parseInput(registrationRoutes.getNamePrice.params, { name: 'a_b' }).ok).toBe(true);
  });

  it('error: auto_basename needs basename_name', () => {
    const result = parseInput(registrationRoutes.registerEmail.body, { auto_basename: true });

    expect(refusal(result)).toStrictEqual(['invalid_name', 'basename_name is required with auto_basename']);
  });

  it('behavior: a malformed id passes, so that it is as unknown as any other', () => {
    for (const id of ['', '../x', '%00', 'x'.repeat(300)]) expect(parseInput(mailboxRoutes.getEmail.params, { id }).ok).toBe(true);
  });

  it('behavior: however long the texts in a path, no key made of them exceeds its bytes', () => {
    const bytesOf = (params: z.ZodObject, length: number): number => {
      const given = Object.keys(params.shape).map((name) => [name, '€'.repeat(length)]);
      const result = parseInput(params, Object.fromEntries(given));
      return result.ok ? Buffer.byteLength(Object.values(result.value).join('#')) : 0;
    };
    for (const { params, operationId } of ROUTES)
      for (const length of [400, 50_000]) if (params) expect(bytesOf(params, length), operationId).toBeLessThan(1000);
    const longest = { id: '€'.repeat(100), deliveryId: '€'.repeat(100) };
    expect(Buffer.byteLength(Object.values(longest).join('#'))).toBeLessThan(1000);
    expect(parseInput(webhooksRoutes.redeliverWebhook.params, longest)).toStrictEqual({ ok: true, value: longest });
  });

  it('error: a proof without a nullifier is refused, by its name', () => {
    const verify = (body: object) => parseInput(worldIdRoutes.verifyWorldId.body, body);

    expect(refusal(verify({ idkit_result: { responses: [{}] } }))).toStrictEqual(['invalid_request', 'nullifier is required']);
    expect(verify({ idkit_result: { responses: [{ nullifier: '0x1' }] } }).ok).toBe(true);
    expect(verify({ idkit_result: {}, nullifier: '0x1' }).ok).toBe(true);
  });
});

describe('all schemas', () => {
  it('behavior: whatever is sent, a request is taken or refused, never thrown over', () => {
    const schemas = ROUTES.flatMap((row) => [row.params, row.query, row.body]).filter((schema) => schema !== undefined);
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())), (schema, value) => {
        const result = parseInput(schema, value);
        if (!result.ok) expect(result.detail.message).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('default: the examples of the documentation are valid', () => {
    for (const [operationId, example] of Object.entries(REQUEST_EXAMPLES)) {
      const body = ROUTES.find((row) => row.operationId === operationId)?.body;
      expect(body && parseInput(body, example).ok, operationId).toBe(true);
    }
  });
});

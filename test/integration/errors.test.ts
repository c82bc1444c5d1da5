// Errors and headers that hold for every path: the same shape, a request id, and nothing of the inside.
import { describe, expect, it } from 'vitest';
import { newAgent } from '#test/support/agents.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

describe('every reply', () => {
  it('answers JSON 404 for an unknown path', async () => {
    const { status, body, headers } = await running.current.api.get('/api/nothing/here');
    expect([status, body['code']]).toEqual([404, 'not_found']);
    expect(headers.get('x-request-id')).toBe(body['request_id']);
  });

  it('answers 405 with Allow for a known path, and a preflight for OPTIONS', async () => {
    const { api } = running.current;
    const wrong = await api.call('DELETE', '/api/inbox');
    expect([wrong.status, wrong.body['code']]).toEqual([405, 'method_not_allowed']);
    expect(wrong.headers.get('allow')).toContain('GET');
    const preflight = await api.call('OPTIONS', '/api/send');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  });

  it.each(['{"address":', '[]', '"text"', '{"a":1}{"b":2}'])('answers 400 to the body %j', async (raw) => {
    const { status, body } = await running.current.api.call('POST', '/api/auth/start', { raw });
    expect(status).toBe(400);
    expect(body['error']).toBeTruthy();
  });

  it.each([
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]),
      'invalid_json',
    ],
    ['half of a surrogate pair', '{"name":"\\ud800"}', 'invalid_request'],
    ['half of one as a name', '{"name":"a","\\uDC00":1}', 'invalid_request'],
  ])('answers 400 to %s', async (_what, raw, code) => {
    const { api } = running.current;
    const agent = await newAgent(api);
    const { status, body } = await api.call('POST', '/api/keys/create', { raw, token: agent.token });
    expect([status, body['code']]).toEqual([400, code]);
    expect((await api.get('/api/keys/list', agent.token)).body['keys']).toEqual([]);
  });

  it('takes whole characters of every kind', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    const { status, body } = await api.call('POST', '/api/keys/create', { raw: '{"name":"\\ud83d\\ude00 é 😀"}', token: agent.token });
    expect([status, body['name']]).toEqual([200, '😀 é 😀']);
  });

  it('names a scheme with every 401', async () => {
    const { headers } = await running.current.api.get('/api/inbox', 'nonsense');
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('names the field that is missing', async () => {
    const { status, body } = await running.current.api.post('/api/auth/start', {});
    expect([status, body['code']]).toEqual([400, 'invalid_request']);
    expect(body['error']).toContain('address');
  });

  it('answers its own 413 over 5 MB and the gateway a bare one over 6 MB', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    const big = await api.post('/api/send', { to: agent.email, subject: 's', body: 'x'.repeat(5.5 * 1024 * 1024) }, agent.token);
    expect([big.status, big.body['code']]).toEqual([413, 'payload_too_large']);
    expect(big.body['hint']).toContain('/api/uploads');
    const response = await fetch(`${api.baseUrl}/api/send`, { method: 'POST', body: 'x'.repeat(7 * 1024 * 1024) });
    expect(response.status).toBe(413);
  });

  it('keeps authenticated replies and errors out of caches', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    for (const reply of [await api.get('/api/inbox', agent.token), await api.get('/api/identity/unknown-name')]) {
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('serves its descriptions', async () => {
    const { api } = running.current;
    const openApi = await api.get('/openapi.json');
    expect(openApi.body['openapi']).toBe('3.1.0');
    expect((await api.get('/api/openapi.json')).bytes).toEqual(openApi.bytes);
    expect((await api.get('/api/docs')).headers.get('cache-control')).toBe('public, max-age=300');
    expect((await api.get('/api/versions')).body['current']).toBe('2.0.0');
  });
});

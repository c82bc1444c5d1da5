// Addresses that may be registered, and a list of hostile ones that may not.
import { describe, expect, it } from 'vitest';
import { judgeUrl } from '#domain/webhooks/endpoint-url.ts';
import { HOSTILE_URLS } from '#test/support/hostile-urls.ts';

describe('judgeUrl', () => {
  it.each(HOSTILE_URLS)('error: %s is refused, on a local stack too', (url) => {
    expect(judgeUrl(url, { allowsLoopback: false })).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(judgeUrl(url, { allowsLoopback: true })).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  it.each([
    'https://example.com',
    'https://hooks.example.com/in?key=1',
    'https://hooks.example.com:8443/in',
    'https://xn--bcher-kva.example/in',
    'https://localhost.example.com/',
    'https://10.example.com/',
  ])('default: %s is taken as it was given', (url) => {
    expect(judgeUrl(url, { allowsLoopback: false })).toEqual({ ok: true, value: url });
  });

  it('behavior: http://127.0.0.1 is for the local stack alone', () => {
    expect(judgeUrl('http://127.0.0.1:9000/hook', { allowsLoopback: true })).toMatchObject({ ok: true });
    expect(judgeUrl('http://127.0.0.1:9000/hook', { allowsLoopback: false })).toMatchObject({ ok: false });
  });
});

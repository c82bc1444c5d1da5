// The credentials that every bundled client uses.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '#adapters/aws/environment-credentials.ts';

afterEach(() => vi.unstubAllEnvs());

const setCredentials = (name: string): void => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', `${name}-id`);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', `${name}-secret`);
  vi.stubEnv('AWS_SESSION_TOKEN', `${name}-token`);
};

describe('environment credentials', () => {
  it('default: are those of the environment', async () => {
    setCredentials('first');
    expect(await defaultProvider()()).toMatchObject({
      accessKeyId: 'first-id',
      secretAccessKey: 'first-secret',
      sessionToken: 'first-token',
    });
  });

  it('behavior: follow a rotation, because they never outlive the call', async () => {
    const provider = defaultProvider();
    setCredentials('first');
    const first = await provider();
    setCredentials('second');
    expect((await provider()).accessKeyId).toBe('second-id');
    expect(first.expiration.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('behavior: leave the session token out when there is none', async () => {
    setCredentials('first');
    vi.stubEnv('AWS_SESSION_TOKEN', '');
    expect(await defaultProvider()()).not.toHaveProperty('sessionToken');
  });

  it('error: missing ones are named', async () => {
    setCredentials('first');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    await expect(defaultProvider()()).rejects.toThrow('AWS_SECRET_ACCESS_KEY');
  });
});

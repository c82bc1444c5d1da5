// The operator's settings: defaults, sources, and what is refused with which words.
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '#infra/config.ts';
import { cloudConfig } from './fixture-stacks.ts';

const withContext = (context: Readonly<Record<string, unknown>>, environment: Readonly<Record<string, string>> = {}) =>
  readConfig((name) => context[name], environment);

const complaint = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('default: the local stage', () => {
  it('needs no setting at all', () => {
    expect(readConfig(() => undefined, {})).toMatchObject({
      stage: 'local',
      mailDomain: 'agents.localhost.test',
      mppEnabled: true,
      worldIdStub: true,
      loopbackWebhooks: true,
      tempoChainId: 4217,
      sunsetDate: '2027-08-28',
    });
  });

  it('ignores empty variables, which shells and CI systems set for "nothing"', () => {
    expect(readConfig(() => undefined, { MAIL_DOMAIN: '', STAGE: '' }).mailDomain).toBe('agents.localhost.test');
  });
});

describe('behavior: sources', () => {
  it('prefers the context over the environment', () => {
    expect(withContext({ mailDomain: 'context.example.com' }, { MAIL_DOMAIN: 'environment.example.com' }).mailDomain).toBe(
      'context.example.com',
    );
  });

  it('reads flags and numbers from text', () => {
    expect(withContext({ mppEnabled: 'false', tempoChainId: '42431' })).toMatchObject({ mppEnabled: false, tempoChainId: 42431 });
  });
});

describe('error: what a cloud stage refuses', () => {
  it('lists everything that is missing at once, with the way to set it', () => {
    const message = complaint(() => withContext({ stage: 'prod' }));
    expect(message).toContain('mailDomain');
    expect(message).toContain('operatorEmail');
    expect(message).toContain('-c mailDomain=... or MAIL_DOMAIN=...');
  });

  it.each([
    ['WORLD_ID_STUB', 'worldIdStub'],
    ['LOOPBACK_WEBHOOKS', 'loopbackWebhooks'],
  ])('%s, which is for one machine only', (variable, setting) => {
    expect(complaint(() => cloudConfig({ [variable]: 'true' }))).toContain(setting);
  });

  it('no deposit address, and an address without TLS', () => {
    expect(complaint(() => cloudConfig({ DEPOSIT_ADDRESS: '' }))).toContain('depositAddress');
    expect(complaint(() => cloudConfig({ BASE_URL: 'http://api.example.com' }))).toContain('https://');
  });

  it.each([
    ['STAGE', 'Prod_1'],
    ['MAIL_DOMAIN', 'not a domain'],
    ['OPERATOR_EMAIL', 'nobody'],
    ['DEPOSIT_ADDRESS', '0x1234'],
    ['TEMPO_CHAIN_ID', '-1'],
    ['LOG_RETENTION_DAYS', '29'],
    ['SUNSET_DATE', 'soon'],
    ['MPP_ENABLED', 'perhaps'],
    ['CONFIRMATIONS', 'many'],
  ])('%s=%s', (variable, value) => {
    expect(complaint(() => cloudConfig({ [variable]: value }))).not.toBe('');
  });
});

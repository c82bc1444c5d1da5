// The operator's settings: defaults, sources, and what is refused with which words.
import { isAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigError, readConfig, refuseToDeploy } from '#infra/config.ts';
import { cloudConfig, localConfig } from './fixture-stacks.ts';

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
    ['CONFIRMATIONS', '8453=0'],
    ['STAGE', 'prod-'],
    ['DEPOSIT_ADDRESS', `0x${'0'.repeat(40)}`],
    ['OPERATOR_EMAIL', 'ops@agents.example.com'],
    ['OPERATOR_EMAIL', 'ops@mail.agents.example.com'],
  ])('%s=%s', (variable, value) => {
    expect(complaint(() => cloudConfig({ [variable]: value }))).not.toBe('');
  });
});

describe('error: what is not deployed', () => {
  const deploying = { contextNames: ['@aws-cdk/core:flag', 'aws:cdk:version', 'mailDomain'], account: '123456789012', isAddress };
  const told = (config: Config, changes: Partial<typeof deploying> = {}) =>
    complaint(() => refuseToDeploy(config, { ...deploying, ...changes }));

  it('the local stage into an account, while it can be synthesised without one', () => {
    expect(told(cloudConfig())).toBe('');
    expect(told(localConfig())).toContain('stage');
    expect(complaint(() => refuseToDeploy(localConfig(), { ...deploying, account: undefined }))).toBe('');
  });

  it('a setting that was misspelt in the context', () => {
    expect(told(cloudConfig(), { contextNames: ['mailDomian'] })).toContain('mailDomian: there is no such setting');
  });

  it('a deposit address with a wrong character', () => {
    const right = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
    expect(told(cloudConfig({ DEPOSIT_ADDRESS: right }))).toBe('');
    expect(told(cloudConfig({ DEPOSIT_ADDRESS: right.toLowerCase() }))).toBe('');
    expect(told(cloudConfig({ DEPOSIT_ADDRESS: right.replace('913', '914') }))).toContain('checksum');
  });
});

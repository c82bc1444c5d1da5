// Secret values are made once, can be overridden at every start, and stay missing when their file is removed.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generatePassword, secretFile, seedSecrets } from '#infra/local/aws/secrets.ts';
import { allow, type Harness, SECRET_ARN, startHarness } from './harness.ts';

let harness: Harness;
let client: SecretsManagerClient;
beforeAll(async () => {
  harness = await startHarness();
  client = new SecretsManagerClient(harness.role('auth', allow('secretsmanager:GetSecretValue', SECRET_ARN)));
});
afterAll(() => harness.close());

const value = async (id: string): Promise<Record<string, unknown>> =>
  JSON.parse((await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString ?? '');

test('a value is generated as the template says, kept over starts, and found by name or ARN', async () => {
  await seedSecrets(harness.assembly(), harness.dataDir, {});
  const first = await value('signing');
  expect(first).toStrictEqual({ kid: '1', secret: expect.stringMatching(/^.{40}$/) });
  await seedSecrets(harness.assembly(), harness.dataDir, {});
  expect(await value(SECRET_ARN)).toStrictEqual(first);
});

test('overrides are merged in at every start, by the end of the name', async () => {
  const before = await value('signing');
  await seedSecrets(harness.assembly(), harness.dataDir, { igning: { rpc_url: 'http://127.0.0.1:1' }, other: { no: true } });
  expect(await value('signing')).toStrictEqual({ ...before, rpc_url: 'http://127.0.0.1:1' });
});

test('a role without the grant is refused', async () => {
  const other = new SecretsManagerClient(harness.role('other'));
  await expect(other.send(new GetSecretValueCommand({ SecretId: 'signing' }))).rejects.toMatchObject({ name: 'AccessDeniedException' });
});

test('a removed file stays missing at the next start, overrides or not; a new secret is still made', async () => {
  await rm(secretFile(harness.dataDir, 'signing'));
  const assembly = harness.assembly();
  const added = { name: 'app/later', arn: `${SECRET_ARN}-later`, value: '{"a":1}' };
  await seedSecrets({ ...assembly, secrets: [...assembly.secrets, added] }, harness.dataDir, { signing: { a: 1 } });
  await expect(client.send(new GetSecretValueCommand({ SecretId: 'signing' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  expect(await readFile(join(harness.dataDir, 'secrets', 'app', 'later.json'), 'utf8')).toBe('{"a":1}');
});

test('passwords hold at least one of each kind and nothing that is excluded', () => {
  for (let round = 0; round < 200; round += 1) {
    const password = generatePassword({ PasswordLength: 8, ExcludePunctuation: true, ExcludeCharacters: 'abc123' });
    expect(password).toMatch(/^(?=.*[d-z])(?=.*[A-Z])(?=.*[4-9,0])[d-zA-Z04-9]{8}$/);
  }
});

test('a name cannot lead out of the data folder', () => {
  expect(() => secretFile(harness.dataDir, '../../etc/passwd')).toThrow(/leaves the data folder/);
});

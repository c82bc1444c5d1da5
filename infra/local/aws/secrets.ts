// Secrets Manager: one file per secret under the data folder. A value is made once, when its secret is first seen in
// a template; a file that an operator removes stays missing, as a deleted secret would.
import { createHash, randomInt } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Assembly, LocalSecret } from '#infra/local/model.ts';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { jsonReply, type Reply } from './replies.ts';

/** What `GenerateSecretString` of a template may say. */
interface Recipe {
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
  readonly PasswordLength?: number;
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly IncludeSpace?: boolean;
  readonly RequireEachIncludedType?: boolean;
}

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** The kinds of characters that a recipe allows, none of them empty. */
function alphabets(recipe: Recipe): readonly string[] {
  const kinds = [
    recipe.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    recipe.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    recipe.ExcludeNumbers ? '' : '0123456789',
    recipe.ExcludePunctuation ? '' : PUNCTUATION,
    recipe.IncludeSpace ? ' ' : '',
  ];
  const excluded = new Set(recipe.ExcludeCharacters ?? '');
  return kinds.map((kind) => [...kind].filter((character) => !excluded.has(character)).join('')).filter((kind) => kind !== '');
}

/** Draws a password as Secrets Manager does: by default 32 characters, at least one of each kind. */
export function generatePassword(recipe: Recipe): string {
  const kinds = alphabets(recipe);
  const all = kinds.join('');
  const length = recipe.PasswordLength ?? 32;
  if (all === '') throw new Error('GenerateSecretString excludes every character');
  for (;;) {
    const password = Array.from({ length }, () => all.charAt(randomInt(all.length))).join('');
    const hasEach = kinds.every((kind) => [...kind].some((character) => password.includes(character)));
    if (hasEach || recipe.RequireEachIncludedType === false || length < kinds.length) return password;
  }
}

function firstValue(secret: LocalSecret): string {
  if (secret.generate === undefined) return secret.value ?? '{}';
  const recipe = secret.generate as Recipe;
  const password = generatePassword(recipe);
  if (!recipe.GenerateStringKey) return password;
  const template = JSON.parse(recipe.SecretStringTemplate ?? '{}') as Record<string, unknown>;
  return JSON.stringify({ ...template, [recipe.GenerateStringKey]: password });
}

/** Where the value of a secret stands; a name with slashes makes folders. */
export function secretFile(dataDir: string, name: string): string {
  const folder = resolve(dataDir, 'secrets');
  const file = resolve(folder, `${name}.json`);
  // A template with `../` in a name must not write outside the data folder.
  if (!file.startsWith(folder + sep)) throw new Error(`secret name ${name} leaves the data folder`);
  return file;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeAtomically(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function applyOverrides(file: string, overrides: readonly object[]): Promise<void> {
  const text = await readIfThere(file);
  if (text === undefined || overrides.length === 0) return;
  await writeAtomically(file, JSON.stringify(Object.assign(objectOf(text), ...overrides), null, 2));
}

/**
 * Makes the values of secrets that this data folder has not seen before, then merges the overrides into those that
 * exist. The marker `<data>/secrets/.generated` lists the secrets seen, one name a line.
 *
 * @param overrides by secret name or the end of one: members to set at every start
 */
export async function seedSecrets(assembly: Assembly, dataDir: string, overrides: Readonly<Record<string, object>>): Promise<void> {
  const marker = join(dataDir, 'secrets', '.generated');
  const seen = new Set(((await readIfThere(marker)) ?? '').split('\n').filter((name) => name !== ''));
  for (const secret of assembly.secrets) {
    const file = secretFile(dataDir, secret.name);
    if (!seen.has(secret.name) && (await readIfThere(file)) === undefined) await writeAtomically(file, firstValue(secret));
    seen.add(secret.name);
    await applyOverrides(
      file,
      Object.entries(overrides)
        .filter(([name]) => secret.name.endsWith(name))
        .map(([, members]) => members),
    );
  }
  await writeAtomically(marker, `${[...seen].join('\n')}\n`);
}

/** Finds a secret by its name, its ARN, or the ARN without the random suffix. */
export function findSecret(assembly: Assembly, id: string): LocalSecret | undefined {
  return assembly.secrets.find((secret) => secret.name === id || secret.arn === id || secret.arn.replace(/-\w{6}$/, '') === id);
}

const notFound = (): AwsError => new AwsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");

/** A version id that changes with the value and with nothing else. */
function versionOf(value: string): string {
  const hex = createHash('sha256').update(value).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/**
 * Answers GetSecretValue and DescribeSecret from the files, read anew at every call.
 *
 * @throws AwsError ResourceNotFoundException for unknown secrets and for those whose file is gone
 */
export async function answerSecret(call: AwsCall, assembly: Assembly, dataDir: string): Promise<Reply> {
  if (call.operation !== 'GetSecretValue' && call.operation !== 'DescribeSecret') {
    throw new AwsError(400, 'InvalidAction', `The local stack does not implement secretsmanager ${call.operation}.`);
  }
  const secret = findSecret(assembly, String(call.input['SecretId'] ?? ''));
  if (!secret) throw notFound();
  const file = secretFile(dataDir, secret.name);
  const value = await readIfThere(file);
  const stage = call.input['VersionStage'] ?? 'AWSCURRENT';
  if (value === undefined || stage !== 'AWSCURRENT') throw notFound();
  const known = { ARN: secret.arn, Name: secret.name, CreatedDate: Math.floor((await stat(file)).mtimeMs / 1000) };
  const versionId = versionOf(value);
  if (call.operation === 'DescribeSecret') return jsonReply({ ...known, VersionIdsToStages: { [versionId]: ['AWSCURRENT'] } });
  return jsonReply({ ...known, SecretString: value, VersionId: versionId, VersionStages: ['AWSCURRENT'] });
}

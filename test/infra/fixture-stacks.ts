// The five stacks over stand-in bundles: what they are made of does not matter here, what is wired does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { type Config, readConfig } from '#infra/config.ts';
import type { Bundles } from '#infra/constructs/shared-resources.ts';
import { type FunctionEntry, listFunctions } from '#infra/inventory.ts';
import { PERMISSIONS } from '#infra/permissions.ts';
import { addStacks, makeApp, type ServiceStacks } from '#infra/synthesize.ts';

const CLOUD_SETTINGS = {
  STAGE: 'prod',
  MAIL_DOMAIN: 'agents.example.com',
  OPERATOR_EMAIL: 'ops@example.com',
  DEPOSIT_ADDRESS: `0x${'ab'.repeat(20)}`,
  MPP_ENABLED: 'true',
} as const;

/** Settings of a cloud stage; overrides are named as environment variables. */
export const cloudConfig = (overrides: Readonly<Record<string, string>> = {}): Config =>
  readConfig(() => undefined, { ...CLOUD_SETTINGS, ...overrides });

export const localConfig = (): Config => readConfig(() => undefined, {});

/** Every function that exists or has its row in permissions.ts, so that the whole service is looked at from the first day. */
const allFunctions = (): readonly FunctionEntry[] => {
  const existing = listFunctions();
  const named = new Set(existing.map((entry) => entry.name));
  const planned = Object.keys(PERMISSIONS).filter((name) => !named.has(name));
  return [
    ...existing,
    ...planned.map((name): FunctionEntry => {
      const kind = name.endsWith('-http') ? 'http' : 'event';
      return { name, kind, area: kind === 'http' ? name.slice(0, -'-http'.length) : 'planned', file: '' };
    }),
  ];
};

const writeStandIns = (folder: string, functions: readonly FunctionEntry[]): Bundles => {
  const layerDir = join(folder, 'layer');
  mkdirSync(join(layerDir, 'nodejs/node_modules/evm-runtime'), { recursive: true });
  writeFileSync(join(layerDir, 'nodejs/node_modules/evm-runtime/viem.js'), 'exports.viem = 1;');
  for (const { name } of functions) {
    mkdirSync(join(folder, 'functions', name), { recursive: true });
    writeFileSync(join(folder, 'functions', name, 'index.js'), `exports.handler = async () => ${JSON.stringify(name)};`);
  }
  return { functions, functionsDir: join(folder, 'functions'), layerDir };
};

export interface FixtureStacks extends ServiceStacks {
  readonly app: App;
}

/** Makes the stacks in a temporary folder that goes when the test file ends. */
export const fixtureStacks = (config: Config): FixtureStacks => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-email-infra-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const app = makeApp(join(folder, 'out'));
  return { app, ...addStacks(app, config, writeStandIns(folder, allFunctions())) };
};

export interface TemplateResource {
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly deletionPolicy?: string;
}

interface RawResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

const resourcesOf = (stack: Stack): readonly TemplateResource[] => {
  const { Resources = {} } = Template.fromStack(stack).toJSON() as { readonly Resources?: Readonly<Record<string, RawResource>> };
  return Object.entries(Resources).map(([id, raw]) => ({
    stack: stack.stackName,
    id,
    type: raw.Type,
    properties: raw.Properties ?? {},
    ...(raw.DeletionPolicy === undefined ? {} : { deletionPolicy: raw.DeletionPolicy }),
  }));
};

/** All resources of all five stacks as CloudFormation will see them. */
export const allResources = (stacks: ServiceStacks): readonly TemplateResource[] =>
  [stacks.data, stacks.mail, stacks.api, stacks.workers, stacks.monitoring].flatMap(resourcesOf);

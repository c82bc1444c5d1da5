// Builds what is deployed and what runs locally: the bundles, and the cloud assembly that refers to them.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BundleReport, buildDirOf, bundleAll } from './bundle.ts';
import { withBuildLock } from './build-lock.ts';
import { type Config, readConfig } from './config.ts';
import { ROOT } from './inventory.ts';

/** Everything that a bundle or a template can depend on, apart from the settings. */
const INPUTS = ['functions', 'layers', 'infra', 'package.json', 'package-lock.json', 'cdk.json'];
/** Part of neither: a change there builds nothing anew. */
const OUTSIDE = new Set(['infra/local', 'infra/checks']);
const REPORT_FILE = 'report.json';
const STAMP_FILE = '.stamp';

const filesUnder = (root: string, path: string): readonly string[] => {
  if (OUTSIDE.has(path) || !existsSync(join(root, path))) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const inner = `${path}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(root, inner) : [inner];
    });
};

const hashOf = (root: string, inputs: readonly string[], seed: string): string => {
  const hash = createHash('sha256').update(seed);
  for (const file of inputs.flatMap((path) => filesUnder(root, path))) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

const stampIn = (folder: string): string | undefined => {
  const file = join(folder, STAMP_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** What only bundles depend on. */
const BUNDLE_INPUTS = [
  'functions',
  'layers',
  'infra/bundle.ts',
  'infra/bundle-plugins.ts',
  'infra/inventory.ts',
  'package.json',
  'package-lock.json',
];

const bundleLocked = async (root: string): Promise<BundleReport> => {
  const buildDir = buildDirOf(root);
  const reportFile = join(buildDir, REPORT_FILE);
  const stamp = hashOf(root, BUNDLE_INPUTS, root);
  if (stampIn(buildDir) === stamp && existsSync(reportFile)) return JSON.parse(readFileSync(reportFile, 'utf8')) as BundleReport;
  rmSync(join(buildDir, STAMP_FILE), { force: true });
  const report = await bundleAll(root);
  writeFileSync(reportFile, JSON.stringify(report));
  writeFileSync(join(buildDir, STAMP_FILE), stamp);
  return report;
};

const lockFile = (root: string): string => join(buildDirOf(root), 'lock');

/** Copies an assembly while no build can change it: what a stack runs stays what it started with. */
export const copyAssembly = (outDir: string, to: string): Promise<void> =>
  withBuildLock(lockFile(ROOT), async () => {
    rmSync(to, { recursive: true, force: true });
    cpSync(outDir, to, { recursive: true });
  });

/** Bundles functions and layer into `.build`, or hands back the last report when nothing they are made of changed. */
export const buildBundles = (root: string = ROOT): Promise<BundleReport> => withBuildLock(lockFile(root), () => bundleLocked(root));

/**
 * Bundles everything and synthesises the cloud assembly to `outDir` with the given settings (by default those of the
 * environment). Work whose inputs did not change is skipped. Safe to call from several processes at once.
 * @throws ConfigError for wrong settings, BundleError for code that does not bundle, else CDK's error.
 */
export async function buildAssembly(outDir: string, config: Config = readConfig()): Promise<void> {
  const folder = resolve(outDir);
  await withBuildLock(lockFile(ROOT), async () => {
    const stamp = hashOf(ROOT, INPUTS, JSON.stringify(config));
    if (stampIn(folder) === stamp && existsSync(join(folder, 'manifest.json'))) return;
    // The construct library takes as long to load as the bundles take to build, on another core.
    const [{ synthesize }, bundles] = await Promise.all([import('./synthesize.ts'), bundleLocked(ROOT)]);
    rmSync(folder, { recursive: true, force: true });
    synthesize({ config, bundles, outDir: folder });
    writeFileSync(join(folder, STAMP_FILE), stamp);
  });
}

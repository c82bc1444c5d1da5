// Bundles every function in one esbuild call, and every module of the evm-runtime layer in another beside it.
// CommonJS, because Node starts it faster than ES modules: `import 'node:http'` alone costs 18 ms there.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, type BuildResult, type Message, type Metafile } from 'esbuild';
import { functionPlugins, LAZY_PREFIX, layerPlugins } from './bundle-plugins.ts';
import { type FunctionEntry, listFunctions, listRuntimeModules, ROOT } from './inventory.ts';

/** What was built, and how big each file is. */
export interface BundleReport {
  readonly functions: readonly FunctionEntry[];
  readonly functionsDir: string;
  readonly layerDir?: string;
  /** Bytes of each function's `index.js`, by function name. */
  readonly functionBytes: Readonly<Record<string, number>>;
  /** Bytes of what loads on first use, by `<function>/<chunk>` and `evm-runtime/<module>`. */
  readonly lazyBytes: Readonly<Record<string, number>>;
}

/** The code cannot be bundled; the message names each place once. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

const common = (root: string) =>
  ({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    // The ES form of a package can be shaken; its CommonJS form is taken whole.
    mainFields: ['module', 'main'],
    // A module on a layer's path is found by require alone, never by import().
    supported: { 'dynamic-import': false },
    external: ['@modelcontextprotocol/sdk'],
    // Maps lie beside the bundles for reading stack traces; they are not deployed.
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  }) as const satisfies BuildOptions;

const placed = ({ text, location }: Message): string => (location ? `${location.file}:${location.line}: ${text}` : text);

/** Runs esbuild and tells each fault once, however many bundles it is in. */
const bundle = async (options: BuildOptions & { readonly metafile: true }): Promise<BuildResult<{ metafile: true }>> => {
  try {
    return await build(options);
  } catch (error) {
    const faults = (error as BuildFailure).errors;
    if (!Array.isArray(faults)) throw error;
    throw new BundleError([...new Set(faults.map(placed))].join('\n'));
  }
};

const bytesByOutput = (metafile: Metafile | undefined): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(metafile?.outputs ?? {})
      .filter(([path]) => path.endsWith('.js'))
      .map(([path, output]) => [path, output.bytes]),
  );

const nameOfOutput = (path: string): string => basename(dirname(path));

interface FunctionBundles {
  readonly metafile?: Metafile;
  readonly lazySources: ReadonlyMap<string, string>;
}

/** Says that the files of a folder are CommonJS, whatever a package.json further up says (ours says ES modules). */
const markCommonJs = (folder: string): void => writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');

const bundleFunctions = async (root: string, functions: readonly FunctionEntry[], outDir: string): Promise<FunctionBundles> => {
  if (functions.length === 0) return { lazySources: new Map() };
  const lazySources = new Map<string, string>();
  const { metafile } = await bundle({
    ...common(root),
    entryPoints: functions.map(({ name, file }) => ({ in: file, out: `${name}/index` })),
    outdir: outDir,
    plugins: functionPlugins(root, lazySources),
  });
  for (const { name } of functions) markCommonJs(join(outDir, name));
  return { metafile, lazySources };
};

/** Bundles each lazy module once and puts it beside every function that still refers to it after shaking. */
const bundleLazyModules = async (root: string, bundles: FunctionBundles, buildDir: string): Promise<Readonly<Record<string, number>>> => {
  if (bundles.lazySources.size === 0) return {};
  const outDir = join(buildDir, 'lazy');
  const { metafile } = await bundle({
    ...common(root),
    sourcemap: false,
    entryPoints: [...bundles.lazySources].map(([name, source]) => ({ in: source, out: basename(name, '.js') })),
    outdir: outDir,
    plugins: functionPlugins(root),
  });
  const sizes = new Map([...bytesByOutput(metafile)].map(([path, bytes]) => [basename(path), bytes]));
  const chunkBytes: Record<string, number> = {};
  for (const [path, output] of Object.entries(bundles.metafile?.outputs ?? {})) {
    for (const chunk of new Set(output.imports.map((each) => each.path).filter((each) => each.startsWith(LAZY_PREFIX)))) {
      const file = basename(chunk);
      copyFileSync(join(outDir, file), join(root, dirname(path), file));
      chunkBytes[`${nameOfOutput(path)}/${file}`] = sizes.get(file) ?? 0;
    }
  }
  return chunkBytes;
};

const bundleRuntimeLayer = async (root: string, layerDir: string): Promise<Readonly<Record<string, number>>> => {
  const modules = listRuntimeModules(root);
  if (modules.length === 0) return {};
  const outDir = join(layerDir, 'nodejs/node_modules/evm-runtime');
  const { metafile } = await bundle({
    ...common(root),
    entryPoints: modules.map((name) => join(root, 'layers/evm-runtime', `${name}.ts`)),
    outdir: outDir,
    plugins: layerPlugins(root),
  });
  markCommonJs(outDir);
  return Object.fromEntries([...bytesByOutput(metafile)].map(([path, bytes]) => [`evm-runtime/${basename(path, '.js')}`, bytes]));
};

/** Where the build of a checkout lies. */
export const buildDirOf = (root: string): string => join(root, '.build');

/**
 * Bundles functions and layer into `<root>/.build`, replacing what was there.
 * @throws BundleError
 */
export async function bundleAll(root: string = ROOT): Promise<BundleReport> {
  const buildDir = buildDirOf(root);
  const [functionsDir, layerDir] = [join(buildDir, 'functions'), join(buildDir, 'layers/evm-runtime')];
  for (const folder of [functionsDir, layerDir]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(functionsDir, { recursive: true });
  const functions = listFunctions(root);
  const [bundles, runtimeBytes] = await Promise.all([bundleFunctions(root, functions, functionsDir), bundleRuntimeLayer(root, layerDir)]);
  const chunkBytes = await bundleLazyModules(root, bundles, buildDir);
  return {
    functions,
    functionsDir,
    ...(existsSync(layerDir) ? { layerDir } : {}),
    functionBytes: Object.fromEntries([...bytesByOutput(bundles.metafile)].map(([path, bytes]) => [nameOfOutput(path), bytes])),
    lazyBytes: { ...chunkBytes, ...runtimeBytes },
  };
}

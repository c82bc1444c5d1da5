// What the bundler is taught: where the layer's modules are, what is loaded on first use, which packages are replaced
// by something small.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** `layers/evm-runtime/<name>.ts` becomes `require('evm-runtime/<name>')`, which the Lambda layer holds. */
const runtimeFromLayer: Plugin = {
  name: 'runtime-from-layer',
  setup(builder) {
    builder.onResolve({ filter: /^#evm-runtime\/[a-z0-9-]+\.ts$/ }, ({ path }) => ({
      path: `evm-runtime/${basename(path, '.ts')}`,
      external: true,
    }));
  },
};

/** Begins the name by which a function asks for what loads on first use. */
export const LAZY_PREFIX = './lazy-';

/** `@aws-sdk/client-sesv2` is bundled apart as `lazy-aws-sdk-client-sesv2.js`. */
const chunkName = (specifier: string): string =>
  specifier
    .replace(/\.ts$/, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();

/**
 * esbuild cannot split CommonJS, so whatever is imported by `import()` is cut out here and bundled as a file of its own
 * beside the function. Such a module gets its own copy of what it imports: it should re-export a library, hold no
 * state and no class that the rest compares with `instanceof`.
 */
const cutOutLazyImports = (found: Map<string, string>): Plugin => ({
  name: 'cut-out-lazy-imports',
  setup(builder) {
    builder.onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:') || path.startsWith('#evm-runtime/') || importer.includes('node_modules'))
        return;
      if (pluginData === 'resolving') return;
      const resolved = await builder.resolve(path, { kind: 'import-statement', resolveDir, importer, pluginData: 'resolving' });
      if (resolved.errors.length > 0 || resolved.external) return resolved;
      const name = `${LAZY_PREFIX}${chunkName(path)}.js`;
      found.set(name, resolved.path);
      return { path: name, external: true };
    });
  },
});

const adapterShims = (root: string): readonly (readonly [string, string])[] => {
  const adapters = join(root, 'layers/adapters');
  if (!existsSync(adapters)) return [];
  return readdirSync(adapters)
    .map((adapter) => join(adapters, adapter, 'shims'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => [basename(file, '.ts'), join(folder, file)] as const));
};

/** Packages that a small module of ours stands in for: `layers/adapters/<adapter>/shims/<package>.ts` and two more. */
const standIns = (root: string): ReadonlyMap<string, string> => {
  const ethers = join(root, 'layers/evm-runtime/ethers-shim.ts');
  return new Map([
    ['@aws-sdk/credential-provider-node', join(root, 'layers/adapters/aws/environment-credentials.ts')],
    ['@smithy/core/event-streams', join(root, 'layers/adapters/aws/event-streams.ts')],
    ['@aws-sdk/endpoint-cache', join(root, 'layers/adapters/aws/endpoint-cache.ts')],
    ...(existsSync(ethers) ? [['ethers', ethers] as const] : []),
    ...adapterShims(root),
  ]);
};

/** Replaces those packages where another package asks for them; what our own code imports is what it gets. */
const replaceHeavyPackages = (root: string): Plugin => ({
  name: 'replace-heavy-packages',
  setup(builder) {
    const replacements = standIns(root);
    const filter = new RegExp(`^(${[...replacements.keys()].join('|')})$`);
    builder.onResolve({ filter }, ({ path, importer }) => {
      const replacement = replacements.get(path);
      // The mail parser looks for links in plain text as it loads, so it keeps the real finder.
      if (path === 'linkify-it' && importer.includes('/node_modules/mailparser/')) return undefined;
      return replacement !== undefined && importer.includes('node_modules') ? { path: replacement } : undefined;
    });
  },
});

/** Parts that a package asks for by relative paths, and what stands in for them under `layers/adapters`. */
const REPLACED_PARTS: readonly { readonly within: string; readonly filter: RegExp; readonly standIn: string }[] = [
  { within: '/node_modules/nodemailer/', filter: /\/mime-types\.js$/, standIn: 'mime/shims/nodemailer-mime-types.ts' },
  { within: '/node_modules/nodemailer/', filter: /\/fetch\/index\.js$/, standIn: 'mime/shims/nodemailer-fetch.ts' },
  { within: '/node_modules/@smithy/core/', filter: /\/Sha256Js$/, standIn: 'aws/sha-256.ts' },
  { within: '/node_modules/@smithy/core/', filter: /\/DefaultRateLimiter$/, standIn: 'aws/rate-limiter.ts' },
  { within: '/node_modules/@smithy/core/', filter: /\/getInstanceMetadataRegion$/, standIn: 'aws/instance-region.ts' },
];

const replaceParts = (root: string): Plugin => ({
  name: 'replace-parts',
  setup(builder) {
    for (const { within, filter, standIn } of REPLACED_PARTS) {
      const replacement = join(root, 'layers/adapters', standIn);
      builder.onResolve({ filter }, ({ importer }) =>
        importer.includes(within) && existsSync(replacement) ? { path: replacement } : undefined,
      );
    }
  },
});

/** `{ [_hH]: 1 }` with `const _hH = "httpHeader"` becomes `{ "httpHeader": 1 }`. */
const withLiteralKeys = (source: string): string => {
  const constants = new Map([...source.matchAll(/^const (_\w+) = ("[^"\n]*");$/gm)].map(([, name, text]) => [name, text]));
  return source.replace(/\[(_\w+)\]:/g, (whole, name: string) => (constants.has(name) ? `${constants.get(name)}:` : whole));
};

/** Computing a key might have an effect, so esbuild keeps every schema of an SDK client that does: 55 KB of S3's unused. */
const shakeSchemas: Plugin = {
  name: 'shake-schemas',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[a-z0-9-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/ }, ({ path }) => ({
      contents: withLiteralKeys(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** Each SDK client brings its whole package.json along for the sake of its version. */
const trimPackageFiles: Plugin = {
  name: 'trim-package-files',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[a-z0-9-]+[\\/]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** How zod's methods reach what renders JSON Schema, which are cut off. */
const ZOD_RENDERERS: readonly RegExp[] = [
  /^ *inst\._zod\.processJSONSchema = .*;\n/gm,
  /^ *jsonSchema: \{\n *input: createStandardJSONSchemaMethod\(.*\n *output: .*\n *\},\n/m,
  /^ *toJSONSchema\(params\) \{\n.*\n *\},\n/m,
];

/**
 * Each schema of zod carries the rendering of itself as JSON Schema: 17 KB of every function, used by the documents of
 * discovery alone. Those call `z.toJSONSchema()`, which brings renderers by kind for schemas that carry none.
 */
const schemasWithoutRenderers: Plugin = {
  name: 'schemas-without-renderers',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, ({ path }) => ({
      contents: ZOD_RENDERERS.reduce((source, renderer) => source.replace(renderer, ''), readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** npm lays `entities`, tables of 20 KB, once beside each package that asks for it in the same version; one copy serves all. */
const oneCopyOfEntities = (root: string): Plugin => ({
  name: 'one-copy-of-entities',
  setup(builder) {
    const resolveDir = join(root, 'node_modules/htmlparser2');
    builder.onResolve({ filter: /^entities(\/|$)/ }, async ({ path, kind, importer, pluginData }) => {
      if (pluginData === 'resolving' || !importer.includes('node_modules') || !existsSync(resolveDir)) return undefined;
      const found = await builder.resolve(path, { kind, resolveDir, importer, pluginData: 'resolving' });
      return found.errors.length > 0 ? undefined : found;
    });
  },
});

/** What every bundle needs; `lazySources` collects what is cut out to be bundled apart, by the name it is asked for. */
export const functionPlugins = (root: string, lazySources?: Map<string, string>): Plugin[] => [
  replaceHeavyPackages(root),
  replaceParts(root),
  oneCopyOfEntities(root),
  shakeSchemas,
  trimPackageFiles,
  schemasWithoutRenderers,
  runtimeFromLayer,
  ...(lazySources ? [cutOutLazyImports(lazySources)] : []),
];

/** For the layer's own modules, which may import each other's libraries but not each other. */
export const layerPlugins = (root: string): Plugin[] => [replaceHeavyPackages(root)];

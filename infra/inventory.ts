// Finds what can be deployed by looking at the folders: a function exists because its entry file exists.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

export interface FunctionEntry {
  /** `mailbox-http` or `on-mail-received`; also the name of its bundle's folder. */
  readonly name: string;
  readonly area: string;
  readonly kind: 'http' | 'event';
  /** Absolute path of the entry. */
  readonly file: string;
}

const foldersIn = (path: string): readonly string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : [];

const entriesOfArea = (root: string, area: string): readonly FunctionEntry[] =>
  readdirSync(join(root, 'functions', area))
    .filter((file) => file === 'http.ts' || /^on-[a-z0-9-]+\.ts$/.test(file))
    .sort()
    .map((file) => ({
      name: file === 'http.ts' ? `${area}-http` : file.slice(0, -'.ts'.length),
      area,
      kind: file === 'http.ts' ? 'http' : 'event',
      file: join(root, 'functions', area, file),
    }));

/**
 * Lists `functions/<area>/http.ts` and `functions/<area>/on-*.ts`, sorted by area.
 * @throws when two areas have an event function of the same name, which would overwrite each other.
 */
export function listFunctions(root: string = ROOT): readonly FunctionEntry[] {
  const entries = foldersIn(join(root, 'functions')).flatMap((area) => entriesOfArea(root, area));
  const seen = new Map<string, FunctionEntry>();
  for (const entry of entries) {
    const other = seen.get(entry.name);
    if (other) throw new Error(`functions/${other.area} and functions/${entry.area} both have ${entry.name}`);
    seen.set(entry.name, entry);
  }
  return entries;
}

/** Lists the modules of `layers/evm-runtime`, e.g. `['mppx', 'siwe', 'viem']`; a shim belongs to another module. */
export const listRuntimeModules = (root: string = ROOT): readonly string[] => {
  const folder = join(root, 'layers/evm-runtime');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('-shim.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
};

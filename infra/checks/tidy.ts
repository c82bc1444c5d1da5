// What no linter of ours knows: file length, left-over marks, keys built outside their room, traces of one machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#infra/inventory.ts';

const FOLDERS = ['functions', 'infra', 'layers', 'test'];
const LINES_MAX = 300;
/** This file names what it looks for. */
const SELF = 'infra/checks/tidy.ts';

interface Pattern {
  readonly complaint: string;
  readonly looksLike: RegExp;
  /** Files in which it is right. */
  readonly allowedIn?: RegExp;
}

const PATTERNS: readonly Pattern[] = [
  { complaint: 'unfinished work is done or dropped, not marked', looksLike: /\b(TODO|FIXME|XXX|HACK)\b/ },
  {
    complaint: 'keys of the table are built in layers/adapters/dynamo/keys.ts alone',
    looksLike: /[`'"](A|M|H|K|R|N|X|I|S|L|C|P|E|T|W|B|O|ST)#/,
    allowedIn: /^(layers\/adapters\/dynamo\/keys\.ts|test\/.*)$/,
  },
  { complaint: 'a path of one machine', looksLike: /(^|[\s'"`(=])\/(work|home|root|Users)\/[A-Za-z0-9]/ },
  { complaint: 'a switched-off type check', looksLike: /@ts-(ignore|nocheck|expect-error)/, allowedIn: /\.test-d\.ts$/ },
];

const filesUnder = (path: string): readonly string[] =>
  existsSync(join(ROOT, path))
    ? readdirSync(join(ROOT, path), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && /\.(ts|mjs|md|yaml)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
        .filter((file) => !file.includes('/fixtures/'))
    : [];

const complaintsAbout = (file: string): readonly string[] => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const found = PATTERNS.filter((pattern) => !pattern.allowedIn?.test(file)).flatMap((pattern) =>
    lines.flatMap((line, index) => (pattern.looksLike.test(line) ? [`${file}:${index + 1}: ${pattern.complaint}: ${line.trim()}`] : [])),
  );
  const isTooLong = file.endsWith('.ts') && !file.startsWith('test/') && lines.length - 1 > LINES_MAX;
  return isTooLong ? [...found, `${file}: ${lines.length - 1} lines, more than ${LINES_MAX}`] : found;
};

/** Addresses of where packages were fetched would tie the lock file to one machine's registry. */
const lockFileComplaints = (): readonly string[] =>
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8').includes('"resolved"')
    ? ['package-lock.json: names the registry packages came from']
    : [];

const complaints = [
  ...FOLDERS.flatMap(filesUnder)
    .filter((file) => file !== SELF)
    .flatMap(complaintsAbout),
  ...lockFileComplaints(),
];
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;

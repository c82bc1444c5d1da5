// Installs what a fresh clone needs, before `npm start` and `npm test`. Plain JavaScript without dependencies, because
// it runs on whatever Node is there (20 or newer) before anything is installed; all else runs on the Node 24 it brings.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_MAJOR_MIN = 20;

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const say = (text) => process.stderr.write(`${text}\n`);

/** Tells why node_modules has to be installed anew, or undefined when it is what the lock file says. */
function reasonToInstall() {
  if (!existsSync(join(ROOT, 'node_modules/.package-lock.json'))) return 'nothing is installed yet';
  if (!existsSync(join(ROOT, 'node_modules/.bin/node'))) return 'the runtime is missing';
  const wanted = readJson('package-lock.json').packages;
  const installed = readJson('node_modules/.package-lock.json').packages;
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    // Packages of other platforms are in the lock file alone.
    if (path === '' || (optional && !installed[path])) continue;
    if (!existsSync(join(ROOT, path))) return `${path.replace(/^.*node_modules\//, '')} is missing`;
    if (installed[path]?.version !== version) return `${path.replace(/^.*node_modules\//, '')} is not the version of the lock file`;
  }
  return undefined;
}

/**
 * Runs npm as the npm that started us runs: with its own Node, since ours may lie in the folder that `npm ci` replaces.
 * @returns {boolean} whether it succeeded
 */
function npm(...args) {
  const { npm_node_execpath: node, npm_execpath: script } = process.env;
  const quiet = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] };
  const outside = node && script && !node.startsWith(join(ROOT, 'node_modules'));
  const result = outside
    ? spawnSync(node, [script, ...quiet], options)
    : spawnSync('npm', quiet, { ...options, shell: process.platform === 'win32' });
  return result.status === 0;
}

/** The programs that come as one package per platform; the lock file holds those of linux-x64 alone. */
function platformPrograms() {
  const { optionalDependencies } = readJson('package.json');
  const pin = (prefix) => Object.entries(optionalDependencies).find(([name]) => name.startsWith(prefix))?.[1];
  const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch] ?? process.arch;
  return [
    { program: 'dynoxide', name: `@dynoxide/${process.platform}-${process.arch}`, version: pin('@dynoxide/'), variable: 'DYNOXIDE_BIN' },
    {
      program: 'anvil',
      name: `@foundry-rs/anvil-${process.platform}-${machine}`,
      version: pin('@foundry-rs/anvil-'),
      variable: 'ANVIL_BIN',
    },
  ];
}

const isOnPath = (program) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const isAtHand = ({ program, name, variable }) =>
  Boolean(process.env[variable]) || existsSync(join(ROOT, 'node_modules', name)) || isOnPath(program) || isOnPath(`${program}.exe`);

/** Fetches this platform's programs by pinned name. A failure is told, not fatal: the program may be installed elsewhere. */
function fetchPlatformPrograms() {
  const missing = platformPrograms().filter((each) => !isAtHand(each));
  if (missing.length === 0) return;
  say(`Fetching ${missing.map(({ name }) => name).join(' and ')} ...`);
  // One call: a second `--no-save` install would remove what the first one brought.
  if (npm('install', '--no-save', '--ignore-scripts', ...missing.map(({ name, version }) => `${name}@${version}`))) return;
  for (const { name, variable } of missing)
    say(`${name} could not be fetched. Install the program yourself and name its path in ${variable}.`);
}

function main() {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
    say(`Node ${NODE_MAJOR_MIN} or newer is needed to begin; this is ${process.version}.`);
    process.exit(1);
  }
  const reason = reasonToInstall();
  if (reason) {
    say(`Installing packages (${reason}); this takes about a minute ...`);
    if (!npm('ci')) {
      say('npm ci failed; its messages are above.');
      process.exit(1);
    }
  }
  fetchPlatformPrograms();
}

main();

// Proves the simulator: plants one bug after the other in a copy of the sources and expects the simulator to find each.
// `node test/simulation/planted-bugs.ts [--seed 1] [--runs 200] [--only N]`; a bug that is not found, or a patch that no longer fits
// the sources, fails.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const BUGS: readonly PlantedBug[] = [
  {
    name: 'drop a condition: two incomes at once both see room under the cap',
    file: 'layers/adapters/dynamo/changes/account-writes.ts',
    from: "expression.conditions.push('#eD = :eD0', '#eA = :eA0');",
    to: "expression.conditions.push('(#eD = :eD0 OR #eD <> :eD0)', '(#eA = :eA0 OR #eA <> :eA0)');",
  },
  {
    name: 'drop a condition: a late commit of a dead request is taken',
    file: 'layers/adapters/dynamo/changes/effect-writes.ts',
    from: "const ownClaim = 'tok = :tok';",
    to: "const ownClaim = '(tok = :tok OR tok <> :tok)';",
  },
  {
    name: 'forget a refund: the provider refuses a message and keeps the credit',
    file: 'layers/domain/mail/send-external.ts',
    from: 'along: [...refund, ...send.dropReply()]',
    to: 'along: [...send.dropReply()]',
  },
  {
    name: 'swap two writes: the bytes of a mail go before its row',
    file: 'layers/domain/mail/delete-mail.ts',
    from: '    const committed = await ports.committer.commit(',
    to: '    await ports.objects.removeAll(owner.wallet, id, found.value.attachmentCount);\n    const committed = await ports.committer.commit(',
  },
  {
    name: 'trust TTL: mail that has expired comes to life with an account',
    file: 'layers/domain/identity/create-account.ts',
    from: 'row.expiresAt === undefined || row.expiresAt > now',
    to: 'true',
  },
  {
    name: 'count twice: a stream that repeats itself is counted again',
    file: 'layers/adapters/dynamo/statistic-store.ts',
    from: "      ConditionExpression: 'attribute_not_exists(PK)',\n",
    to: '',
  },
];

/** What the simulator needs of the sources; dependencies are linked. */
const COPIED = ['layers', 'functions', 'infra', 'test/simulation', 'test/support', 'package.json', 'tsconfig.json'] as const;

const root = fileURLToPath(new URL('../..', import.meta.url));

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '200' }, only: { type: 'string' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const plant = async (folder: string, { file, from, to }: PlantedBug): Promise<void> => {
  const path = join(folder, file);
  const source = await readFile(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`the patch of ${file} does not fit: ${from}`);
  await writeFile(
    path,
    source.replace(from, () => to),
  );
};

/** What the simulator says of a run that went wrong; one that cannot start has found nothing. */
const FOUND = /^seed \d+ breaks \d+ invariants/m;

/** Plays the sources in a folder; resolves with everything that the simulator said. */
const simulate = (folder: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const parameters = ['--seed', values.seed, '--runs', values.runs, '--steps', '50', '--shrinks', '40', '--quiet'];
    const child = spawn(process.execPath, [join(folder, 'test/simulation/main.ts'), ...parameters], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });

/** What the simulator said first: the seed, and the first invariant that broke. */
const gist = (output: string): string => output.slice(output.search(FOUND)).split('\n').slice(0, 2).join(' ').replace(/\s+/g, ' ');

const hunt = async (bug: PlantedBug): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'planted-bug-'));
  try {
    for (const path of COPIED) await cp(join(root, path), join(folder, path), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await plant(folder, bug);
    const output = await simulate(folder);
    const isFound = FOUND.test(output);
    say(`${isFound ? 'found' : 'NOT FOUND'}  ${bug.name}`);
    const shortest = output.split('\n').find((line) => line.startsWith('The shortest'));
    if (isFound) say(`       ${gist(output)}${shortest === undefined ? '' : `\n       ${shortest}`}`);
    return isFound;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

let missed = 0;
const chosen = values.only === undefined ? BUGS : BUGS.slice(Number(values.only), Number(values.only) + 1);
for (const bug of chosen) if (!(await hunt(bug))) missed += 1;
say(missed === 0 ? `all ${chosen.length} planted bugs were found` : `${missed} of ${chosen.length} planted bugs were not found`);
process.exitCode = missed === 0 ? 0 : 1;

// Which files of a data folder are the stack's: it settles among nobody else's, and a fresh start removes only its own.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Says that a folder is a stack's; named so that no other program writes it. */
const MARKER = 'agent-email-stack';
/** Stays when the stack's own entries are removed: it is read while it is held. */
export const LOCK_FILE = 'stack.lock';
/** The keys of people's wallets, which may be there before any stack and outlive a fresh start. */
const WALLETS = 'wallets';

/** All else that a stack writes. A part that writes something new adds its name here. */
const OWN_ENTRIES = [
  'assembly',
  'chains',
  'clock.json',
  'clock.json.new',
  'logs',
  'outbox',
  'ports.json',
  'ports.json.new',
  'queues',
  'secrets',
  'sources',
  'stack.json',
  'tables',
] as const;

const isForeign = (entry: string): boolean => entry !== WALLETS && !entry.startsWith(LOCK_FILE);

/**
 * Lets a stack settle only in a folder of its own or an empty one; writes nothing.
 * @throws when it holds other files: a mistyped --data must not cost somebody their home folder.
 */
export function checkFolder(dataDir: string): void {
  if (!existsSync(dataDir) || existsSync(join(dataDir, MARKER))) return;
  const [foreign] = readdirSync(dataDir).filter(isForeign);
  if (foreign === undefined) return;
  throw new Error(`${dataDir} holds files and no stack (${foreign} is one): choose an empty folder with --data`);
}

/** Marks the folder as a stack's, before anything else is written there. */
export function markFolder(dataDir: string): void {
  writeFileSync(join(dataDir, MARKER), 'The data of a local stack: npm start -- --fresh removes it, but for the wallets.\n');
}

/** Removes what the stack wrote, for a fresh start. */
export function emptyFolder(dataDir: string): void {
  for (const entry of OWN_ENTRIES) rmSync(join(dataDir, entry), { recursive: true, force: true });
}

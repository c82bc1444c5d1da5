// Which files of a data folder are the stack's: it takes no name that somebody else's file has, and a fresh start removes
// only its own.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Says that a folder is a stack's; named so that no other program writes it. */
const MARKER = 'agent-email-stack';
/** Stays when the stack's own entries are removed, as do the keys of people's wallets. */
export const LOCK_FILE = 'stack.lock';
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

const isOwnName = (entry: string): boolean => (OWN_ENTRIES as readonly string[]).includes(entry);

/**
 * Lets a stack settle in a folder of its own, or in one whose files bear none of its names; writes nothing.
 * @throws when somebody else's file has such a name: a mistyped --data must not cost them their `logs`.
 */
export function checkFolder(dataDir: string): void {
  if (!existsSync(dataDir) || existsSync(join(dataDir, MARKER))) return;
  const [foreign] = readdirSync(dataDir).filter(isOwnName);
  if (foreign === undefined) return;
  throw new Error(`${dataDir} holds no stack, but "${foreign}", which a stack would write over: choose another folder with --data`);
}

/** Marks the folder as a stack's, before anything else is written there. */
export function markFolder(dataDir: string): void {
  writeFileSync(join(dataDir, MARKER), 'The data of a local stack: npm start -- --fresh removes it, but for the wallets.\n');
}

/** Removes what the stack wrote, for a fresh start. */
export function emptyFolder(dataDir: string): void {
  for (const entry of OWN_ENTRIES) rmSync(join(dataDir, entry), { recursive: true, force: true });
}

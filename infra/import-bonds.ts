// `npm run import -- bonds.jsonl`: hands legacy USDC bonds to the function that takes them over, on the local stack or,
// with --stage, in the cloud. Safe to repeat: what is there stays as it is.
//
// A line of the file: {"email_id": "...", "recipient": "alice", "sender": "0x...", "amount_usdc": "2.5",
//                      "status": "active", "deadline": 1790000000, "created_at": 1789000000}
import { readFileSync } from 'node:fs';
import { type Invoke, operate } from './operate.ts';

/** Few enough for the function's time. */
const BATCH_LINES = 100;
const USAGE = 'npm run import -- bonds.jsonl [--stage prod] [--data .local]';

interface Report {
  readonly imported: number;
  readonly existing: number;
  readonly refused: readonly { readonly index: number; readonly error: string }[];
}

/** A line of the file with its number, from 1. */
interface Line {
  readonly number: number;
  readonly bond: unknown;
}

const readLine = (text: string, index: number): Line[] => {
  if (text.trim() === '') return [];
  try {
    return [{ number: index + 1, bond: JSON.parse(text) as unknown }];
  } catch {
    throw new Error(`line ${index + 1} is not JSON`);
  }
};

/** Checks the whole file before anything is sent; the byte order mark that some editors put first is none of its text. */
const readLines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap(readLine);

const importLines = async (invoke: Invoke, lines: readonly Line[]): Promise<boolean> => {
  const sums = { imported: 0, existing: 0, refused: 0 };
  for (let start = 0; start < lines.length; start += BATCH_LINES) {
    const batch = lines.slice(start, start + BATCH_LINES);
    const report = (await invoke({ bonds: batch.map(({ bond }) => bond) })) as Report;
    for (const { index, error } of report.refused) process.stderr.write(`line ${batch[index]?.number}: ${error}\n`);
    sums.imported += report.imported;
    sums.existing += report.existing;
    sums.refused += report.refused.length;
  }
  process.stdout.write(`imported ${sums.imported}, there before ${sums.existing}, refused ${sums.refused}\n`);
  return sums.refused === 0;
};

await operate('on-bonds-imported', USAGE, (invoke, file) => importLines(invoke, readLines(file)));

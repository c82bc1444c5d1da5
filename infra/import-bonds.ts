// `npm run import -- bonds.jsonl`: hands legacy USDC bonds to the function that takes them over, on the local stack or,
// with --stage, in the cloud. Safe to repeat: what is there stays as it is.
//
// A line of the file: {"email_id": "...", "recipient": "alice", "sender": "0x...", "amount_usdc": "2.5",
//                      "status": "active", "deadline": 1790000000, "created_at": 1789000000}
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

const FUNCTION = 'on-bonds-imported';
/** Few enough for the function's time. */
const BATCH_LINES = 100;
const USAGE = 'npm run import -- bonds.jsonl [--stage prod] [--data .local]';

interface Report {
  readonly imported: number;
  readonly existing: number;
  readonly refused: readonly { readonly index: number; readonly error: string }[];
}

type Invoke = (event: unknown) => Promise<Report>;

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

/** Checks the whole file before anything is sent. */
const readLines = (file: string): Line[] => readFileSync(file, 'utf8').split('\n').flatMap(readLine);

const invokeLocally = (dataDir: string): Invoke => {
  const { control_url: controlUrl } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as { control_url: string };
  return async (event) => {
    const response = await fetch(`${controlUrl}/functions/invoke`, { method: 'POST', body: JSON.stringify({ name: FUNCTION, event }) });
    const { payload } = (await response.json()) as { payload: unknown };
    if (!response.ok) throw new Error(`the function failed: ${JSON.stringify(payload)}`);
    return payload as Report;
  };
};

const invokeInCloud = (stage: string): Invoke => {
  const client = new LambdaClient({});
  return async (event) => {
    const command = new InvokeCommand({ FunctionName: `agent-email-${stage}-${FUNCTION}`, Payload: Buffer.from(JSON.stringify(event)) });
    const { FunctionError, Payload } = await client.send(command);
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError !== undefined) throw new Error(`the function failed: ${text}`);
    return JSON.parse(text) as Report;
  };
};

const importLines = async (invoke: Invoke, lines: readonly Line[]): Promise<boolean> => {
  const sums = { imported: 0, existing: 0, refused: 0 };
  for (let start = 0; start < lines.length; start += BATCH_LINES) {
    const batch = lines.slice(start, start + BATCH_LINES);
    const report = await invoke({ bonds: batch.map(({ bond }) => bond) });
    for (const { index, error } of report.refused) process.stderr.write(`line ${batch[index]?.number}: ${error}\n`);
    sums.imported += report.imported;
    sums.existing += report.existing;
    sums.refused += report.refused.length;
  }
  process.stdout.write(`imported ${sums.imported}, there before ${sums.existing}, refused ${sums.refused}\n`);
  return sums.refused === 0;
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { stage: { type: 'string' }, data: { type: 'string' } } });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const invoke =
    values.stage === undefined ? invokeLocally(values.data ?? process.env['DATA_DIR'] ?? '.local') : invokeInCloud(values.stage);
  if (!(await importLines(invoke, readLines(file)))) process.exitCode = 1;
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

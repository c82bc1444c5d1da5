// How an operator's command reaches a function that waits for nothing else: on the local stack through its control
// interface, with `--stage` in the cloud.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** Calls one function with an event; throws with what it said when it failed. */
export type Invoke = (event: unknown) => Promise<unknown>;

const invokeLocally = (dataDir: string, name: string): Invoke => {
  const { control_url: controlUrl } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as { control_url: string };
  return async (event) => {
    const response = await fetch(`${controlUrl}/functions/invoke`, { method: 'POST', body: JSON.stringify({ name, event }) });
    const { payload } = (await response.json()) as { payload: unknown };
    if (!response.ok) throw new Error(`the function failed: ${JSON.stringify(payload)}`);
    return payload;
  };
};

const invokeInCloud = (stage: string, name: string): Invoke => {
  const client = new LambdaClient({});
  return async (event) => {
    const command = new InvokeCommand({ FunctionName: `agent-email-${stage}-${name}`, Payload: Buffer.from(JSON.stringify(event)) });
    const { FunctionError, Payload } = await client.send(command);
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError !== undefined) throw new Error(`the function failed: ${text}`);
    return JSON.parse(text) as unknown;
  };
};

/**
 * Runs a command of one argument and the options `--stage` and `--data` against the function `name`; `run` tells whether
 * everything went well, which becomes the exit code.
 */
export const operate = async (name: string, usage: string, run: (invoke: Invoke, argument: string) => Promise<boolean>): Promise<void> => {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { stage: { type: 'string' }, data: { type: 'string' } } });
    const [argument] = positionals;
    if (!argument?.trim() || positionals.length > 1) throw new Error(usage);
    const dataDir = values.data ?? process.env['DATA_DIR'] ?? '.local';
    const invoke = values.stage === undefined ? invokeLocally(dataDir, name) : invokeInCloud(values.stage, name);
    if (!(await run(invoke, argument))) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
};

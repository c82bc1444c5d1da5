// A wallet for trying the API with curl: made on the spot, kept under the data folder, for play money only.
//
//   npm run -s wallet               prints its address, and makes it when there is none
//   ... | npm run -s wallet -- sign reads the reply of POST /api/auth/start, prints the body for POST /api/auth/agent-register
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { asObject, asText } from './shapes.ts';

const USAGE = 'npm run -s wallet [-- sign]';
const NO_REPLY = 'there is no message to sign: sign reads the reply of POST /api/auth/start from its standard input';

/** Another name gives another wallet: `WALLET=bob npm run -s wallet`. */
const keyFile = (): string => join(process.env['DATA_DIR'] ?? '.local', 'wallets', `${process.env['WALLET'] ?? 'me'}.key`);

const openWallet = (): PrivateKeyAccount => {
  const file = keyFile();
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, generatePrivateKey(), { mode: 0o600 });
  }
  return privateKeyToAccount(readFileSync(file, 'utf8').trim() as `0x${string}`);
};

/** The message that is to be signed, out of a reply of the service; else what that reply says. */
const readMessage = (text: string): string => {
  const { message, error } = parseReply(text);
  if (message === undefined) throw new Error(error ?? NO_REPLY);
  return message;
};

const parseReply = (text: string): { readonly message?: string | undefined; readonly error?: string | undefined } => {
  try {
    const { message, error } = asObject(JSON.parse(text));
    return { message: asText(message), error: asText(error) };
  } catch {
    throw new Error(NO_REPLY);
  }
};

const sign = async (wallet: PrivateKeyAccount): Promise<string> => {
  const message = readMessage(readFileSync(0, 'utf8'));
  return JSON.stringify({ address: wallet.address, message, signature: await wallet.signMessage({ message }) });
};

const run = async ([command, ...more]: readonly string[]): Promise<string> => {
  if (more.length > 0 || (command !== undefined && command !== 'sign')) throw new Error(USAGE);
  const wallet = openWallet();
  return command === 'sign' ? await sign(wallet) : wallet.address;
};

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

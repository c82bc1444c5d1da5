// A wallet for trying the API with curl: made on the spot, kept under the data folder, for play money only.
//
//   npm run -s wallet               prints its address, and makes it when there is none
//   ... | npm run -s wallet -- sign reads the reply of POST /api/auth/start, prints the body for POST /api/auth/agent-register
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

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

const sign = async (wallet: PrivateKeyAccount): Promise<string> => {
  const started = JSON.parse(readFileSync(0, 'utf8')) as { message?: string; error?: string };
  if (started.message === undefined) throw new Error(started.error ?? 'there is no message to sign');
  const signature = await wallet.signMessage({ message: started.message });
  return JSON.stringify({ address: wallet.address, message: started.message, signature });
};

const wallet = openWallet();
process.stdout.write(`${process.argv[2] === 'sign' ? await sign(wallet) : wallet.address}\n`);

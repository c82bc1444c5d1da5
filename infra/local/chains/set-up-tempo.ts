// Sets a bare Tempo chain up: USDC.e at its canonical address, money for the faucet, and a way to pay fees in USDC.e.
import { gunzipSync } from 'node:zlib';
import type { Address, Hex } from 'viem';
import { keccak256, toHex } from 'viem/utils';
import { ContractWriter, giveEther } from './contract-writer.ts';
import type { ChainKeys } from './keys.ts';
import { PATH_USD, TEMPO_USDC } from './networks.ts';
import type { Rpc } from './rpc.ts';

const TOKEN_FACTORY: Address = '0x20FC000000000000000000000000000000000000';
const FEE_MANAGER: Address = '0xfeEC000000000000000000000000000000000000';
// What every TIP-20 token has for code: the node itself answers for the address.
const TOKEN_CODE: Hex = '0xef';
const ADMIN_ROLE: Hex = `0x${'0'.repeat(64)}`;
const SALT = keccak256(toHex('USDC.e'));

const FAUCET_UNITS = 1_000_000_000n * 10n ** 6n;
const FEE_POOL_UNITS = 1_000_000n * 10n ** 6n;
const FAUCET_ETHER = 1_000_000n;

/** Makes USDC.e, funds the faucet with it and with pathUSD, and lets every holder of USDC.e pay fees with it. */
export async function setUpTempo(rpc: Rpc, keys: ChainKeys): Promise<void> {
  const writer = await ContractWriter.at(rpc);
  await giveEther(rpc, keys.faucet.address, FAUCET_ETHER);
  await makeUsdc(writer);
  await copyToken(rpc, await writer.read(TOKEN_FACTORY, READ_ADDRESS, writer.from, SALT), TEMPO_USDC);
  await handOut(writer, keys.faucet.address);
  // Block producers take pathUSD. Without this pool a wallet that holds only USDC.e could pay nobody.
  await writer.send(FEE_MANAGER, 'function mint(address, address, uint256, address)', TEMPO_USDC, PATH_USD, FEE_POOL_UNITS, writer.from);
  await writer.settle();
}

const READ_ADDRESS = 'function getTokenAddress(address sender, bytes32 salt) view returns (address)';

async function makeUsdc(writer: ContractWriter): Promise<void> {
  await writer.send(
    TOKEN_FACTORY,
    'function createToken(string, string, string, address, address, bytes32) returns (address)',
    'Bridged USDC',
    'USDC.e',
    'USD',
    PATH_USD,
    writer.from,
    SALT,
  );
  await writer.settle();
}

/** The factory derives a token's address from its maker, so the canonical one is had only by copying code and storage. */
async function copyToken(rpc: Rpc, from: unknown, to: Address): Promise<void> {
  const packed = Buffer.from(String(await rpc('anvil_dumpState')).slice(2), 'hex');
  const { accounts } = JSON.parse(gunzipSync(packed).toString()) as {
    accounts: Readonly<Record<string, { readonly storage: Readonly<Record<Hex, Hex>> }>>;
  };
  const token = accounts[String(from).toLowerCase()];
  if (token === undefined) throw new Error('setting up Tempo: the token was not made');
  await rpc('anvil_setCode', to, TOKEN_CODE);
  for (const [slot, value] of Object.entries(token.storage)) await rpc('anvil_setStorageAt', to, slot, value);
}

async function handOut(writer: ContractWriter, faucet: Address): Promise<void> {
  const issuerRole = await writer.read(TEMPO_USDC, 'function ISSUER_ROLE() view returns (bytes32)');
  const grant = 'function grantRole(bytes32 role, address account)';
  await writer.send(TEMPO_USDC, grant, issuerRole, writer.from);
  // The faucet keeps the token when the key that set it up is gone.
  await writer.send(TEMPO_USDC, grant, issuerRole, faucet);
  await writer.send(TEMPO_USDC, grant, ADMIN_ROLE, faucet);
  await writer.send(TEMPO_USDC, 'function mint(address to, uint256 amount)', faucet, FAUCET_UNITS);
  await writer.send(PATH_USD, 'function transfer(address to, uint256 amount) returns (bool)', faucet, FAUCET_UNITS);
}

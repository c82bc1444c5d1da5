// The Basenames replicas, used as the service uses the originals: bought, owned, expired, sold again.
import {
  encodeFunctionData,
  type Hex,
  keccak256,
  labelhash,
  namehash,
  parseAbi,
  parseEther,
  stringToBytes,
  toHex,
  zeroAddress,
} from 'viem';
import { toCoinType } from 'viem/ens';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASENAMES } from '#infra/local/chains/networks.ts';
import { clientsFor, startTestChains, type TestChains } from './chains-fixture.ts';

const SALE = parseAbi([
  'struct RegisterRequest { string name; address owner; uint256 duration; address resolver; bytes[] data; bool reverseRecord; ' +
    'uint256[] coinTypes; uint256 signatureExpiry; bytes signature; }',
  'function register(RegisterRequest request) payable',
  'error NameNotValid(string name)',
  'error DurationTooShort(uint256 duration)',
  'error InsufficientValue()',
  'error NotAvailable(uint256 tokenId)',
]);
const CONTROLLER = parseAbi([
  'struct Price { uint256 base; uint256 premium; }',
  'function available(string name) view returns (bool)',
  'function registerPrice(string name, uint256 duration) view returns (uint256)',
  'function rentPrice(string name, uint256 duration) view returns (Price)',
  'event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 expires)',
]);
const REGISTRAR = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function nameExpires(uint256) view returns (uint256)',
  'function safeTransferFrom(address, address, uint256)',
  'error Expired(uint256 tokenId)',
]);
const REGISTRY = parseAbi(['function resolver(bytes32) view returns (address)', 'function owner(bytes32) view returns (address)']);
const RESOLVER = parseAbi([
  'function setAddr(bytes32, address)',
  'function addr(bytes32) view returns (address)',
  'function name(bytes32) view returns (string)',
]);
const REVERSE = parseAbi(['function setName(string)', 'function node(address) view returns (bytes32)']);
const ENS_REVERSE = parseAbi(['function setName(string)', 'function nameForAddr(address) view returns (string)']);

const YEAR = 365n * 86_400n;
const tokenOf = (label: string): bigint => BigInt(labelhash(label));

let world: TestChains;
let base: ReturnType<typeof clientsFor>;
beforeAll(async () => {
  world = await startTestChains();
  base = clientsFor(world.chains, '8453');
});
afterAll(() => world.stop());

const controller = { address: BASENAMES.controller, abi: CONTROLLER } as const;
const registrar = { address: BASENAMES.registrar, abi: REGISTRAR } as const;

const isAvailable = (name: string) => base.reader.readContract({ ...controller, functionName: 'available', args: [name] });
const priceOf = (name: string) => base.reader.readContract({ ...controller, functionName: 'registerPrice', args: [name, YEAR] });
const ownerOf = (name: string) => base.reader.readContract({ ...registrar, functionName: 'ownerOf', args: [tokenOf(name)] });
const mined = (hash: Hex) => base.reader.waitForTransactionReceipt({ hash });

/** Buys as the platform does for an account: pays, and points the name at its owner. */
async function buy(name: string, owner: Hex, overrides: { value?: bigint; duration?: bigint; reverseRecord?: boolean } = {}) {
  const data = encodeFunctionData({ abi: RESOLVER, functionName: 'setAddr', args: [namehash(`${name}.base.eth`), owner] });
  const { request } = await base.reader.simulateContract({
    address: BASENAMES.controller,
    abi: SALE,
    account: base.platform.account,
    functionName: 'register',
    value: overrides.value ?? ((await priceOf(name)) * 11n) / 10n,
    args: [
      {
        name,
        owner,
        duration: overrides.duration ?? YEAR,
        resolver: BASENAMES.resolver,
        data: [data],
        reverseRecord: overrides.reverseRecord ?? false,
        coinTypes: [],
        signatureExpiry: 0n,
        signature: '0x',
      },
    ],
  });
  return mined(await base.platform.writeContract(request));
}

describe('buying', () => {
  test('a sponsored name belongs to its owner, resolves to them and is found by its event', async () => {
    const owner = base.newWallet().account.address;
    expect(await isAvailable('alice')).toBe(true);

    const receipt = await buy('alice', owner);

    expect(receipt.status).toBe('success');
    expect(await ownerOf('alice')).toBe(owner);
    expect(await isAvailable('alice')).toBe(false);
    const node = namehash('alice.base.eth');
    expect(await base.reader.readContract({ address: BASENAMES.registry, abi: REGISTRY, functionName: 'resolver', args: [node] })).toBe(
      BASENAMES.resolver,
    );
    expect(await base.reader.readContract({ address: BASENAMES.resolver, abi: RESOLVER, functionName: 'addr', args: [node] })).toBe(owner);
    const logs = await base.reader.getContractEvents({ ...controller, eventName: 'NameRegistered', args: { owner }, fromBlock: 0n });
    expect(logs.map((log) => [log.args.name, log.args.label])).toEqual([['alice', keccak256(stringToBytes('alice'))]]);
  });

  test('overpayment comes back to the payer', async () => {
    const price = await priceOf('overpaid');
    const before = await base.reader.getBalance({ address: base.platform.account.address });
    const receipt = await buy('overpaid', base.newWallet().account.address, { value: price * 2n });
    const after = await base.reader.getBalance({ address: base.platform.account.address });
    expect(before - after).toBe(price + receipt.gasUsed * receipt.effectiveGasPrice);
  });

  test('prices go by length in code points', async () => {
    expect(await Promise.all(['abc', 'abcd', 'alice', 'abcdefghij'].map(priceOf))).toEqual([
      99_908_817_302_304_000n,
      9_990_881_717_616_000n,
      999_088_168_608_000n,
      99_908_791_632_000n,
    ]);
    expect(await priceOf('ééé')).toBe(await priceOf('abc'));
  });

  test.each([
    ['two characters', { name: 'ab' }, /NameNotValid/],
    ['too little money', { name: 'cheapskate', value: 1n }, /InsufficientValue/],
    ['less than a year', { name: 'briefly', duration: YEAR - 1n, value: parseEther('1') }, /DurationTooShort/],
  ])('%s: refused', async (_case, { name, ...overrides }, error) => {
    await expect(buy(name, base.newWallet().account.address, overrides)).rejects.toThrow(error);
  });

  test('a name that is taken cannot be bought', async () => {
    await buy('unique', base.newWallet().account.address);
    await expect(buy('unique', base.newWallet().account.address)).rejects.toThrow(/NotAvailable/);
  });
});

describe('reverse records', () => {
  const reverseName = async (wallet: Hex) => {
    const node = await base.reader.readContract({
      address: BASENAMES.reverseRegistrar,
      abi: REVERSE,
      functionName: 'node',
      args: [wallet],
    });
    const resolver = await base.reader.readContract({ address: BASENAMES.registry, abi: REGISTRY, functionName: 'resolver', args: [node] });
    if (resolver === zeroAddress) return undefined;
    return base.reader.readContract({ address: resolver, abi: RESOLVER, functionName: 'name', args: [node] });
  };

  test('the reverse node is the one of ENSIP-19', async () => {
    const wallet = base.newWallet().account.address;
    const label = `${wallet.slice(2).toLowerCase()}.${toHex(toCoinType(8453)).slice(2)}.reverse`;
    expect(
      await base.reader.readContract({ address: BASENAMES.reverseRegistrar, abi: REVERSE, functionName: 'node', args: [wallet] }),
    ).toBe(namehash(label));
  });

  test('a purchase that asks for one names the payer, not the owner', async () => {
    const owner = base.newWallet().account.address;
    await buy('sponsored', owner, { reverseRecord: true });
    expect(await reverseName(owner)).toBeUndefined();
    expect(await reverseName(base.platform.account.address)).toBe('sponsored.base.eth');
  });

  test('both registrars take a name from its wallet; it stays when the name is given away', async () => {
    const wallet = base.newWallet();
    await base.node.setBalance({ address: wallet.account.address, value: parseEther('1') });
    await buy('stale', wallet.account.address);
    await mined(
      await wallet.writeContract({ address: BASENAMES.reverseRegistrar, abi: REVERSE, functionName: 'setName', args: ['stale.base.eth'] }),
    );
    await mined(
      await wallet.writeContract({
        address: BASENAMES.ensReverseRegistrar,
        abi: ENS_REVERSE,
        functionName: 'setName',
        args: ['stale.base.eth'],
      }),
    );

    const heir = base.newWallet().account.address;
    await mined(
      await wallet.writeContract({
        ...registrar,
        functionName: 'safeTransferFrom',
        args: [wallet.account.address, heir, tokenOf('stale')],
      }),
    );

    expect(await ownerOf('stale')).toBe(heir);
    expect(await reverseName(wallet.account.address)).toBe('stale.base.eth');
    const named = {
      address: BASENAMES.ensReverseRegistrar,
      abi: ENS_REVERSE,
      functionName: 'nameForAddr',
      args: [wallet.account.address],
    } as const;
    expect(await base.reader.readContract(named)).toBe('stale.base.eth');
  });
});

describe('expiry', () => {
  test('a name never bought has no owner', async () => {
    await expect(ownerOf('nobody')).rejects.toThrow(/Expired/);
    expect(await base.reader.readContract({ ...registrar, functionName: 'nameExpires', args: [tokenOf('nobody')] })).toBe(0n);
  });

  test('an expired name has no owner, is taken for 90 days of grace, then dear, then sold anew', async () => {
    const first = base.newWallet().account.address;
    await buy('fleeting', first);

    await world.advance(Number(YEAR) + 60);
    await expect(ownerOf('fleeting')).rejects.toThrow(/Expired/);
    expect(await isAvailable('fleeting')).toBe(false);

    await world.advance(90 * 86_400);
    expect(await isAvailable('fleeting')).toBe(true);
    const { premium } = await base.reader.readContract({ ...controller, functionName: 'rentPrice', args: ['fleeting', YEAR] });
    expect(premium).toBeGreaterThan(parseEther('490'));
    expect(premium).toBeLessThanOrEqual(parseEther('500'));

    await world.advance(43_200);
    const half = await base.reader.readContract({ ...controller, functionName: 'rentPrice', args: ['fleeting', YEAR] });
    expect(Number(half.premium) / 500e18).toBeCloseTo(Math.SQRT1_2, 2);

    await world.advance(28 * 86_400);
    expect(await priceOf('fleeting')).toBe(999_088_168_608_000n);
    const second = base.newWallet().account.address;
    await buy('fleeting', second);
    expect(await ownerOf('fleeting')).toBe(second);
  });
});

// The running stack's Base as an outsider uses it: wallets with ETH, names bought through the controller, given away, and
// set as a wallet's own name.
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  labelhash,
  namehash,
  parseAbi,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { BASENAMES } from '#infra/local/chains/networks.ts';
import type { TestStack } from './test-stack.ts';

const CONTROLLER = parseAbi([
  'struct RegisterRequest { string name; address owner; uint256 duration; address resolver; bytes[] data; bool reverseRecord; uint256[] coinTypes; uint256 signatureExpiry; bytes signature; }',
  'function register(RegisterRequest request) payable',
  'function registerPrice(string name, uint256 duration) view returns (uint256)',
]);
const REGISTRAR = parseAbi(['function ownerOf(uint256) view returns (address)', 'function safeTransferFrom(address, address, uint256)']);
const RESOLVER = parseAbi(['function setAddr(bytes32, address)']);
const SET_NAME = parseAbi(['function setName(string)']);
const [REGISTERED] = parseAbi(['event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 expires)']);
const YEAR = 31_536_000n;
const TEN_ETH = 10n ** 19n;

export const baseOf = ({ stack }: TestStack) => {
  const url = stack.chains['8453']?.rpc_url ?? '';
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id: 8453, name: 'local Base', nativeCurrency, rpcUrls: { default: { http: [url] } } });
  const shared = { chain, transport: http(url), pollingInterval: 20, cacheTime: 0 };
  const reader = createPublicClient(shared);
  const node = createTestClient({ ...shared, mode: 'anvil' });
  const clientOf = (account: PrivateKeyAccount) => createWalletClient({ ...shared, account });
  const mined = async (hash: Promise<Hex>) => reader.waitForTransactionReceipt({ hash: await hash });

  /** A fresh wallet with 10 ETH. */
  const newFundedWallet = async (): Promise<PrivateKeyAccount> => {
    const account = privateKeyToAccount(generatePrivateKey());
    await node.setBalance({ address: account.address, value: TEN_ETH });
    return account;
  };

  /** Buys a name the way any wallet does, at the controller. */
  const buy = async (account: PrivateKeyAccount, label: string) => {
    const setAddr = encodeFunctionData({ abi: RESOLVER, functionName: 'setAddr', args: [namehash(`${label}.base.eth`), account.address] });
    const price = await reader.readContract({
      address: BASENAMES.controller,
      abi: CONTROLLER,
      functionName: 'registerPrice',
      args: [label, YEAR],
    });
    const request = {
      name: label,
      owner: account.address,
      duration: YEAR,
      resolver: BASENAMES.resolver,
      data: [setAddr],
      reverseRecord: false,
      coinTypes: [],
      signatureExpiry: 0n,
      signature: '0x',
    } as const;
    return mined(
      clientOf(account).writeContract({
        address: BASENAMES.controller,
        abi: CONTROLLER,
        functionName: 'register',
        args: [request],
        value: price,
      }),
    );
  };

  return {
    reader,
    node,
    newFundedWallet,
    buy,
    newNamedWallet: async (label: string): Promise<PrivateKeyAccount> => {
      const account = await newFundedWallet();
      await buy(account, label);
      return account;
    },
    give: (from: PrivateKeyAccount, to: Hex, label: string) =>
      mined(
        clientOf(from).writeContract({
          address: BASENAMES.registrar,
          abi: REGISTRAR,
          functionName: 'safeTransferFrom',
          args: [from.address, to, BigInt(labelhash(label))],
        }),
      ),
    setPrimary: (account: PrivateKeyAccount, label: string) =>
      mined(
        clientOf(account).writeContract({
          address: BASENAMES.ensReverseRegistrar,
          abi: SET_NAME,
          functionName: 'setName',
          args: [`${label}.base.eth`],
        }),
      ),
    send: (account: PrivateKeyAccount, call: { readonly to: Hex; readonly data: Hex; readonly value: bigint }) =>
      mined(clientOf(account).sendTransaction(call)),
    ownerOf: async (label: string): Promise<string> =>
      (
        await reader.readContract({
          address: BASENAMES.registrar,
          abi: REGISTRAR,
          functionName: 'ownerOf',
          args: [BigInt(labelhash(label))],
        })
      ).toLowerCase(),
    /** Who paid for a name: the sender of each transaction that registered it. */
    buyersOf: async (label: string): Promise<readonly Hex[]> => {
      const args = { label: labelhash(label) };
      const logs = await reader.getLogs({ address: BASENAMES.controller, event: REGISTERED, args, fromBlock: 0n });
      return Promise.all(logs.map(async ({ transactionHash }) => (await reader.getTransaction({ hash: transactionHash })).from));
    },
    /** How many transactions a wallet has sent. */
    sentCount: (address: Hex) => reader.getTransactionCount({ address }),
  };
};

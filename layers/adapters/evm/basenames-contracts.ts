// The contracts of the name service on Base: addresses (base/basenames README; the ENS reverse registrar from its
// deployment notes) and the parts of their interfaces that are called. Every address can be replaced by configuration.
import type { Wallet } from '#domain/values/wallet.ts';

export interface BasenamesAddresses {
  readonly registry: Wallet;
  /** The ERC-721 that holds the names. */
  readonly registrar: Wallet;
  /** Sells names; the upgradeable proxy, not the legacy controller. */
  readonly controller: Wallet;
  /** Controllers that only their old events are read from. */
  readonly pastControllers: readonly Wallet[];
  /** The resolver that new names are given. */
  readonly resolver: Wallet;
  /** ENS L2ReverseRegistrar. */
  readonly ensReverseRegistrar: Wallet;
}

export const BASENAMES_ON_BASE: BasenamesAddresses = {
  registry: '0xb94704422c2a1e396835a571837aa5ae53285a95',
  registrar: '0x03c4738ee98ae44591e1a4a4f3cab6641d95dd9a',
  controller: '0xa7d2607c6bd39ae9521e514026cbb078405ab322',
  pastControllers: ['0x4ccb0bb02fcaba27e82a56646e81d8c5bc4119a5', '0xd3e6775ed9b7dc12b205c8e608dc3767b9e5efda'],
  resolver: '0x426fa03fb86e510d0dd9f70335cf102a98b10875',
  ensReverseRegistrar: '0x0000000000d8e504002cc26e3ec46d81971c1664',
};

export const REGISTRAR_ABI = [
  'function ownerOf(uint256 id) view returns (address)',
  'function nameExpires(uint256 id) view returns (uint256)',
] as const;

export const CONTROLLER_ABI = [
  'function available(string name) view returns (bool)',
  'function registerPrice(string name, uint256 duration) view returns (uint256)',
  'struct RegisterRequest { string name; address owner; uint256 duration; address resolver; bytes[] data; bool reverseRecord; uint256[] coinTypes; uint256 signatureExpiry; bytes signature; }',
  'function register(RegisterRequest request) payable',
] as const;

export const REGISTRY_ABI = ['function resolver(bytes32 node) view returns (address)'] as const;

export const RESOLVER_ABI = ['function name(bytes32 node) view returns (string)', 'function setAddr(bytes32 node, address a)'] as const;

export const ENS_REVERSE_ABI = ['function nameForAddr(address addr) view returns (string)'] as const;

export const NAME_REGISTERED = 'event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 expires)';
export const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)';

/** The one duration that is sold: the contract's minimum. */
export const ONE_YEAR_SECONDS = 31_536_000;

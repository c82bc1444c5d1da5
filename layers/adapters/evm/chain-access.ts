// The operator's chain access: RPC addresses stand in a secret, so the clients are made when a chain is first asked.
import type { NameBuyer, NameEventSource } from '#domain/ports/names.ts';
import type { Names, SignatureVerifier } from '#domain/ports/wallets.ts';
import { BASENAMES_ON_BASE } from './basenames-contracts.ts';
import { type ChainClients, type ChainSettings, createChainClients, SIGN_IN_CHAIN_ID } from './chain-clients.ts';
import { parseLabel } from './label.ts';
import { createNameBuyer } from './name-buyer.ts';
import { createNameEventSource } from './name-event-source.ts';
import { createNames, type NamesSettings } from './names.ts';
import { createSignatureVerifier } from './signature-verifier.ts';

/** `{"rpc_urls": {"8453": "https://..." | ["https://...", ...]}, "platform_private_key"?: "0x..."}`, as the operator wrote it. */
export type ReadChainSecret = () => Promise<unknown>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const urlsIn = (value: unknown): string[] =>
  [value].flat().filter((url): url is string => typeof url === 'string' && /^https?:\/\//.test(url));

const settingsIn = (secret: unknown): Record<number, ChainSettings> => {
  const urls = isObject(secret) ? secret['rpc_urls'] : undefined;
  if (!isObject(urls)) return {};
  return Object.fromEntries(Object.entries(urls).map(([chainId, value]) => [Number(chainId), { rpcUrls: urlsIn(value) }]));
};

/** The key that pays for names; undefined where the operator gave none. */
const platformKeyIn = (secret: unknown): string | undefined => {
  const key = isObject(secret) ? secret['platform_private_key'] : undefined;
  return typeof key === 'string' ? key : undefined;
};

export interface ChainAccess {
  readonly names: Names;
  readonly signatures: SignatureVerifier;
  /** Pays for names with the platform key. */
  readonly buyer: NameBuyer;
  readonly nameEvents: NameEventSource;
  /** The clients; without a readable secret no chain is configured. */
  readonly clients: () => Promise<ChainClients>;
}

/** The clients of the chains that the secret names; made when first asked for, and again when the operator changed it. */
export const openChainClients = (readSecret: ReadChainSecret): (() => Promise<ChainClients>) => {
  let opened: { readonly text: string; readonly clients: ChainClients } | undefined;
  return async () => {
    // Without a readable secret no chain is configured; it may be there at the next request.
    const settings = settingsIn(await readSecret().catch(() => undefined));
    const text = JSON.stringify(settings);
    if (opened?.text !== text) opened = { text, clients: createChainClients(settings) };
    return opened.clients;
  };
};

/** The names alone, for functions that ask nothing else of a chain. */
export const openNames = (clients: () => Promise<ChainClients>, settings: NamesSettings = {}): Names => {
  const names = async (): Promise<Names> => createNames(await clients(), settings);
  return {
    registrar: { chainId: settings.chainId ?? SIGN_IN_CHAIN_ID, address: settings.addresses?.controller ?? BASENAMES_ON_BASE.controller },
    parseLabel,
    ownerOf: async (label) => (await names()).ownerOf(label),
    reverseName: async (address) => (await names()).reverseName(address),
    isAvailable: async (label) => (await names()).isAvailable(label),
    price: async (label) => (await names()).price(label),
    expiry: async (label) => (await names()).expiry(label),
    registerCall: async (label, owner, price) => (await names()).registerCall(label, owner, price),
  };
};

/** Opens chain access. A deployment without RPC addresses signs key-pair wallets in and gives them address handles. */
export const openChainAccess = (readSecret: ReadChainSecret, namesSettings: NamesSettings = {}): ChainAccess => {
  const clients = openChainClients(readSecret);
  return {
    clients,
    buyer: createNameBuyer(clients, () => readSecret().then(platformKeyIn, () => undefined)),
    nameEvents: createNameEventSource(clients),
    signatures: { verify: async (claim) => createSignatureVerifier(await clients()).verify(claim) },
    names: openNames(clients, namesSettings),
  };
};

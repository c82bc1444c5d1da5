// Registration files in the ERC-8004 format: of an agent, and of the service itself.
import { API_VERSION } from '#contract/versions.ts';
import { type Account, emailOf } from '#domain/identity/account.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';
/** Base: accounts live there, and names with them. */
const CHAIN = 'eip155:8453';
const MICROS_PER_USDC = 1_000_000;

export interface Site {
  readonly baseUrl: string;
  readonly mailDomain: string;
  readonly serviceName: string;
}

/** Bonds that an agent's mail was given, counted by this service. */
export interface Reputation {
  readonly uniqueSenders: number;
  readonly totalMicros: bigint;
}

/** A picture that needs no server: a disc in a colour of its own. */
const imageOf = (seed: string): string => {
  const hue = Number.parseInt(seed.slice(-3), 16) % 360 || 210;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="hsl(${hue} 60% 50%)"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

const walletEndpoint = (wallet: Wallet): string => `${CHAIN}:${wallet}`;

const FLAGS = { x402Support: false, active: true, registrations: [], supportedTrust: ['reputation'] };

export const agentFile = (account: Account, { uniqueSenders, totalMicros }: Reputation, site: Site) => {
  const email = emailOf(account.handle, site.mailDomain);
  return {
    type: TYPE,
    name: account.basename ?? account.handle,
    description: `An agent that takes mail at ${email}.`,
    image: imageOf(account.wallet),
    services: [
      { name: 'email', endpoint: email },
      { name: 'web', endpoint: `${site.baseUrl}/api/identity/${account.handle}` },
      { name: 'API', endpoint: `${site.baseUrl}/api/openapi.json`, version: API_VERSION },
      { name: 'wallet', endpoint: walletEndpoint(account.wallet) },
    ],
    ...FLAGS,
    reputation: {
      source: site.baseUrl,
      uniqueSenders,
      totalBondsUsdc: Number(totalMicros) / MICROS_PER_USDC,
      emailsReceived: account.activity.received,
      emailsSent: account.activity.sent,
    },
  };
};

export const serviceFile = ({ baseUrl, mailDomain, serviceName }: Site) => ({
  type: TYPE,
  name: serviceName,
  description: `Email for software agents: an identity and an inbox at ${mailDomain} for every wallet, over an HTTP JSON API.`,
  image: imageOf('service'),
  services: [
    { name: 'web', endpoint: `${baseUrl}/api/docs` },
    { name: 'API', endpoint: `${baseUrl}/api/openapi.json`, version: API_VERSION },
  ],
  ...FLAGS,
});

// Fields of the public look-ups: who is behind a handle, the registration file, the statistics and the directory.
import * as z from 'zod';
import { basenameField, emailField, handleField, looseHandle, looseId, unixSeconds, walletField } from './fields.ts';

export const HandleParams = z.object({ handle: looseHandle('A handle, an alias or a 0x handle, in any case.') });
export const WalletParams = z.object({
  address: looseId('A wallet address, in any case; what is no address has no account.').transform((text) => text.toLowerCase()),
});

export const GetIdentityStatsReply = z.looseObject({
  total_agents: z.int().describe('Accounts registered.'),
  total_emails: z.int().describe('Messages that the service has carried.'),
});

export const GetIdentityByHandleReply = z.looseObject({
  handle: z.string().describe('The current handle; an alias or an old 0x handle resolves to it.'),
  email: emailField(),
  wallet: z.string().describe('The wallet of the account: use it as the payment destination.'),
  basename: basenameField(),
  registered_at: unixSeconds('When the account was made.'),
  is_human: z.boolean().describe('Whether a proof of human is linked to the account.'),
});

export const GetIdentityByWalletReply = z.looseObject({
  handle: handleField(),
  email: emailField(),
  wallet: walletField(),
  basename: basenameField(),
});

const Service = z.looseObject({
  name: z.string().describe('`email`, `web`, `API` or `wallet`.'),
  endpoint: z.string().describe('The address of this service; a wallet as `eip155:8453:<wallet>`.'),
  version: z.string().optional().describe('The version of this service.'),
});

const RegistrationFile = {
  type: z.string().describe('The type URI of an ERC-8004 registration file.'),
  name: z.string().describe('Name of the agent or service.'),
  description: z.string().describe('What it does.'),
  image: z.string().describe('Address of an image.'),
  services: z.array(Service).describe('Where the agent can be reached.'),
  x402Support: z.boolean().describe('Whether x402 payments are taken.'),
  active: z.boolean().describe('Whether it is in service.'),
  registrations: z.array(z.looseObject({})).describe('On-chain registrations, each {agentId, agentRegistry}.'),
  supportedTrust: z.array(z.string()).describe('Trust models supported, such as `reputation`.'),
};

export const GetAgentRegistrationReply = z.looseObject({
  ...RegistrationFile,
  reputation: z
    .looseObject({
      source: z.string().describe('Who vouches for the figures.'),
      uniqueSenders: z.int().describe('Distinct senders that posted bonds.'),
      totalBondsUsdc: z.number().describe('USDC bonds received.'),
      emailsReceived: z.int().describe('Messages received.'),
      emailsSent: z.int().describe('Messages sent.'),
    })
    .describe('Figures counted by this service.'),
});

export const GetServiceRegistrationReply = z.looseObject(RegistrationFile);

export const GetStatsReply = z.looseObject({
  agents: z.int().describe('Accounts registered.'),
  email_events: z.int().describe('Messages sent and received, together.'),
  sent: z.int().describe('Messages sent.'),
  received: z.int().describe('Messages received.'),
});

export const ListAgentsReply = z.looseObject({
  agents: z
    .array(
      z.looseObject({
        handle: handleField(),
        email: emailField(),
        wallet: walletField(),
        basename: basenameField(),
        registered_at: unixSeconds('When the account was made.'),
      }),
    )
    .describe('Up to 500 accounts with a name handle, newest first.'),
  total: z.int().describe('Number of rows in this list.'),
});

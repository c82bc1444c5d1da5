// Agents for tests: fresh wallets that sign in as a user's wallet would.
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { ApiClient, ApiReply } from './api-client.ts';

export interface Agent {
  readonly key: PrivateKeyAccount;
  /** Lower case. */
  readonly wallet: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly handle: string;
  readonly email: string;
}

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

/** Asks for a sign-in text and signs it. */
export const signedMessage = async (
  api: ApiClient,
  key: PrivateKeyAccount,
): Promise<{ address: string; message: string; signature: string }> => {
  const started = await api.post('/api/auth/start', { address: key.address });
  expect(started.status).toBe(200);
  const message = String(started.body['message']);
  return { address: key.address, message, signature: await key.signMessage({ message }) };
};

let addresses = 0;

/** An address of its own for each sign-up, so that the limit of five an hour and address does not meet test agents. */
const nextAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

export const register = async (api: ApiClient, key: PrivateKeyAccount, extra: Record<string, unknown> = {}): Promise<ApiReply> =>
  api.post('/api/auth/agent-register', { ...(await signedMessage(api, key)), ...extra }, undefined, { 'x-forwarded-for': nextAddress() });

/** A registered agent with a fresh wallet (or the one given). */
export const newAgent = async (api: ApiClient, key: PrivateKeyAccount = newWallet()): Promise<Agent> => {
  const { status, body } = await register(api, key);
  expect([200, 201]).toContain(status);
  return {
    key,
    wallet: key.address.toLowerCase(),
    token: String(body['token']),
    refreshToken: String(body['refresh_token']),
    handle: String(body['handle']),
    email: String(body['email']),
  };
};

// Proofs of human: one by account, one by nullifier, and the nonces that proofs have to answer.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { HumanProof, HumanProofs } from '#domain/ports/world-id.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { keys } from './keys.ts';
import { getItem, type Item, type Table } from './table.ts';

const VERSION = 1;

const readProof = (item: Item): HumanProof => ({
  wallet: item['w'] as Wallet,
  nullifier: String(item['nu']),
  level: String(item['lv']),
  verifiedAt: Number(item['at']),
});

export const openHumanProofs = (table: Table): HumanProofs => ({
  of: async (wallet) => {
    const item = await getItem(table, keys.humanProof(wallet), { strong: true });
    return item && readProof(item);
  },
  issueNonce: async (nonce, wallet, expiresAt) => {
    const item = { ...keys.worldIdNonce(nonce), type: 'world-id-nonce', version: VERSION, w: wallet, expires: expiresAt, ttl: expiresAt };
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
  },
  isNonceOf: async (nonce, wallet, now) => {
    const item = await getItem(table, keys.worldIdNonce(nonce), { strong: true });
    // Time-to-live deletes late, so the time is compared here.
    return item?.['w'] === wallet && Number(item['expires']) > now;
  },
});

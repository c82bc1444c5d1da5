// What a commit answers when its own answer was lost on the way, and what a stored reply says afterwards.
import { TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openIdempotency } from '#adapters/dynamo/idempotency-store.ts';
import type { Table } from '#adapters/dynamo/table.ts';
import { ok } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { Sealer } from '#domain/ports/idempotency.ts';
import { LedgerWorld } from '#test/support/ledger-world.ts';

const NOW = 1_800_000_000;
const UNSEALED: Sealer = { seal: async (text) => text, open: async (text) => text };
const REQUEST = { scope: '0x1 buyCredits', key: 'k', fingerprint: 'f', now: NOW };
const NONCE_SEEN: Change = { kind: 'inbound.seen', key: 'once', now: NOW, expiresAt: NOW + 60 };

let world: LedgerWorld;
beforeAll(async () => {
  world = await LedgerWorld.start();
});
afterAll(() => world.stop());
beforeEach(() => world.renew());

describe('a stored reply', () => {
  it('behavior: once its effect is committed, no failure that is answered later takes its place', async () => {
    const idempotency = openIdempotency(world.table, UNSEALED);
    const claimed = await idempotency.claim(REQUEST);
    if (claimed.result !== 'claimed') throw new Error(claimed.result);
    const { claim } = claimed;
    await world.ports.committer.commit([{ kind: 'claim.commit', claim, status: 200, body: { credits: 7 }, isSealed: false }]);

    await idempotency.finish(claim, { status: 409, body: { code: 'already_redeemed' } }, false);
    expect(await idempotency.claim(REQUEST)).toMatchObject({ result: 'replay', reply: { status: 200, body: { credits: 7 } } });

    await idempotency.finish(claim, { status: 200, body: { credits: 8 } }, false);
    expect(await idempotency.claim(REQUEST)).toMatchObject({ result: 'replay', reply: { status: 200, body: { credits: 8 } } });
  });

  it('default: a failure of a request without an effect is stored', async () => {
    const idempotency = openIdempotency(world.table, UNSEALED);
    const claimed = await idempotency.claim(REQUEST);
    if (claimed.result !== 'claimed') throw new Error(claimed.result);

    await idempotency.finish(claimed.claim, { status: 409, body: { code: 'already_redeemed' } }, false);

    expect(await idempotency.claim(REQUEST)).toMatchObject({ result: 'replay', reply: { status: 409 } });
  });
});

describe('a transaction that is still under way when it is asked for again', () => {
  it('behavior: is asked for under its own name, so that its success is not taken for the refusal of a second one', async () => {
    const { client } = world.table;
    const tokens: (string | undefined)[] = [];
    const send = async (command: TransactWriteCommand) => {
      tokens.push(command.input.ClientRequestToken);
      if (tokens.length > 1) return client.send(command);
      throw new TransactionInProgressException({ message: 'under way', $metadata: {} });
    };
    const slow = { name: world.table.name, client: { send } } as unknown as Table;

    expect(await openCommitter(slow).commit([NONCE_SEEN])).toStrictEqual(ok(undefined));

    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toBeTruthy();
    expect(tokens[1]).toBe(tokens[0]);
    expect(await world.ports.committer.commit([NONCE_SEEN])).toMatchObject({ ok: false, code: 'already_claimed' });
  });
});

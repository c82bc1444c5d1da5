// What a Payment credential is worth, as a decision over a teller and a store that a test can make fail at any step.
import { describe, expect, it } from 'vitest';
import { fail, ok, type Outcome } from '#domain/errors.ts';
import { payPerCall } from '#domain/payments/pay-per-call.ts';
import type { EntitlementKey } from '#domain/ports/changes/payments.ts';
import type { Entitlement, Offer, PaidCallStore, Settlement, Teller, UsedCredential } from '#domain/ports/pay-per-call.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const NOW = 1_800_000_000;
const PAYER: Wallet = `0x${'a'.repeat(40)}`;
const OFFER: Offer = { scope: 'sendEmail', units: 10_000n, description: 'Send a message' };

/** A credential in a test is `<challenge> <payment>`. */
const world = () => {
  const used = new Map<string, UsedCredential>();
  const owed = new Map<string, Entitlement>();
  const keyOf = ({ scope, id }: EntitlementKey) => `${scope} ${id}`;
  const state = { charges: 0, settlement: 'paid' as Settlement, chargeFails: undefined as Outcome<string> | undefined, onPause: () => {} };
  const store: PaidCallStore = {
    findUsed: async (hash) => used.get(hash),
    find: async (key) => owed.get(keyOf(key)),
    owed: async () => [...owed.values()],
    claim: async ({ hash, use, now }) => {
      if (used.has(hash)) return false;
      used.set(hash, use);
      owed.set(keyOf(use.entitlement), { ...use.entitlement, reference: hash, at: now });
      return true;
    },
    release: async (hash, key) => {
      used.delete(hash);
      owed.delete(keyOf(key));
    },
    drop: async (key) => void owed.delete(keyOf(key)),
  };
  const teller: Teller = {
    challenge: async () => ({ header: 'Payment', terms: {} }),
    read: async (header) => {
      const [challengeId = '', paymentHash = ''] = header.split(' ');
      return ok({ header, challengeId, paymentHash });
    },
    validate: async () => ok(PAYER),
    charge: async ({ paymentHash }, _offer, journal) => {
      if (!(await journal.claim(paymentHash, NOW + 300))) return fail('payment_required');
      state.charges += 1;
      return state.chargeFails ?? ok(paymentHash);
    },
    settlementOf: async () => state.settlement,
    receipt: async (reference) => `receipt ${reference}`,
  };
  const calls = payPerCall({ teller, paidCalls: store, pause: async () => state.onPause() });
  const pay = async (header: string, now = NOW, offer = OFFER) => {
    const opened = await calls.open(header, offer, now);
    if (!opened.ok) return opened.code;
    const charged = await opened.value.charge();
    return charged.ok ? charged.value.reference : charged.code;
  };
  const spend = (id: string) => void owed.delete(`sendEmail ${id}`);
  return { state, pay, spend, owed, calls };
};

describe('a credential', () => {
  it('default: is charged once, and worth nothing once its call is made', async () => {
    const { state, pay, spend } = world();

    expect(await pay('c1 p1')).toBe('p1');
    spend('p1');

    expect([await pay('c1 p1'), state.charges]).toEqual(['payment_required', 1]);
  });

  it('behavior: after a crash it is resumed, and a new one of the same payer too, without a second charge', async () => {
    const { state, pay } = world();
    await pay('c1 p1');

    expect(await pay('c1 p1')).toBe('p1');
    expect(await pay('c2 p2', NOW + 60)).toBe('p1');
    expect(state.charges).toBe(1);
  });

  it('behavior: whoever saw the payment on chain and not its challenge cannot resume it, nor can another operation', async () => {
    const { pay } = world();
    await pay('c1 p1');

    expect(await pay('guessed p1')).toBe('payment_required');
    expect(await pay('c1 p1', NOW, { ...OFFER, scope: 'registerEmail' })).toBe('payment_required');
  });

  it('behavior: a call that another request is about to make is waited for, not taken away', async () => {
    const { state, pay, spend } = world();
    await pay('c1 p1');
    state.onPause = () => spend('p1');

    expect(await pay('c2 p2', NOW + 1)).toBe('p2');
    expect(state.charges).toBe(2);
  });

  it('behavior: a payment that failed on chain owes nothing', async () => {
    const { state, pay, owed } = world();
    await pay('c1 p1');
    state.settlement = 'failed';

    expect(await pay('c1 p1')).toBe('payment_required');
    expect(owed.size).toBe(0);
    expect(await pay('c2 p2')).toBe('p2');
  });

  it('behavior: when the answer to a charge is lost, the chain decides', async () => {
    const { state, pay } = world();
    state.chargeFails = fail('chain_unavailable');
    expect(await pay('c1 p1')).toBe('p1');

    const other = world();
    other.state.chargeFails = fail('chain_unavailable');
    other.state.settlement = 'unknown';
    expect(await other.pay('c1 p1')).toBe('chain_unavailable');
  });

  it('error: while the chain does not answer, nothing is resumed and nothing is refused for good', async () => {
    const { state, pay } = world();
    await pay('c1 p1');
    state.settlement = 'unavailable';

    expect(await pay('c1 p1')).toBe('chain_unavailable');
    state.settlement = 'paid';
    expect(await pay('c1 p1')).toBe('p1');
  });

  it('behavior: knows when another request has spent it meanwhile', async () => {
    const { calls, pay, spend } = world();
    const opened = await calls.open('c1 p1', OFFER, NOW);
    await pay('c1 p1');

    expect(opened.ok && (await opened.value.isSpent())).toBe(false);
    spend('p1');
    expect(opened.ok && (await opened.value.isSpent())).toBe(true);
  });
});

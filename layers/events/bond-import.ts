// What an import of legacy bonds may say, line by line.
import * as z from 'zod';
import { ok, fail, type Outcome } from '#domain/errors.ts';
import type { LegacyBond } from '#domain/attention/import-bond.ts';
import { parseUsdc } from '#domain/payments/pricing.ts';

const Line = z.strictObject({
  email_id: z.string().max(64),
  /** Handles or wallets. */
  recipient: z.string().min(1).max(255).toLowerCase(),
  sender: z.string().min(1).max(255).toLowerCase(),
  /** Above zero, at most six decimals. */
  amount_usdc: z.union([z.string(), z.number().positive()]).transform(String),
  status: z.enum(['active', 'refunded', 'forfeited']).default('active'),
  /** Unix seconds. */
  deadline: z.int().positive(),
  created_at: z.int().positive(),
});

/** What an invocation brings: one bond for each line of the operator's file. */
const Request = z.strictObject({ bonds: z.array(z.unknown()).max(500) });

/** @throws when the event is no import at all. */
export const parseImport = (event: unknown): readonly unknown[] => Request.parse(event).bonds;

/** Reads one line; `invalid_request` says what is wrong with it. */
export const parseLegacyBond = (value: unknown): Outcome<LegacyBond> => {
  const result = Line.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    return fail('invalid_request', { message: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` });
  }
  const { email_id: emailId, recipient, sender, status, deadline, created_at: createdAt, amount_usdc: amount } = result.data;
  const amountMicros = parseUsdc(amount);
  if (!amountMicros.ok) return amountMicros;
  return ok({ emailId, recipient, sender, status, deadline, createdAt, amountMicros: amountMicros.value });
};

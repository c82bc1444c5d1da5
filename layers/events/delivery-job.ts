// A webhook job as it comes out of a queue.
import * as z from 'zod';
import type { DeliveryJob } from '#domain/ports/webhooks.ts';
import { isWallet, type Wallet } from '#domain/values/wallet.ts';

const Event = z.object({ type: z.string(), emailId: z.string().nullable(), body: z.string(), createdAt: z.int() });

const Job = z.object({
  wallet: z.custom<Wallet>((value) => typeof value === 'string' && isWallet(value)),
  webhookId: z.string(),
  deliveryId: z.string(),
  attempt: z.int(),
  deferrals: z.int(),
  event: Event.optional(),
});

/** @throws when the body is no job: the message then ends in the dead-letter queue, for a person to see. */
export const parseDeliveryJob = (body: string): DeliveryJob => {
  const { event, ...job } = Job.parse(JSON.parse(body));
  return { ...job, ...(event && { event }) };
};

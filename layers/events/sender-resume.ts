// What the operator's order to resume a sender may say.
import * as z from 'zod';

/** A handle or a wallet. */
const Request = z.strictObject({ sender: z.string().min(1).max(255).toLowerCase() });

/** @throws when the event is no such order. */
export const parseSenderResume = (event: unknown): string => Request.parse(event).sender;

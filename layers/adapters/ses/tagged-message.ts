// A message ready for either version of the SES API.
import type { Courier } from '#domain/ports/stores.ts';

export type CourierMessage = Parameters<Courier['send']>[0];

export interface TaggedMessage extends CourierMessage {
  readonly configurationSet: string;
  readonly tags: readonly { readonly Name: string; readonly Value: string }[];
}

/** Well inside the function's time, so that a call without an answer still gets its reply. */
export const SEND_TIMEOUT_MS = 8000;

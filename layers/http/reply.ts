// What a handler answers with, before the standard headers are put on.
import { ok, type Outcome } from '#domain/errors.ts';

export interface HttpReply<B = unknown> {
  readonly status: number;
  readonly body?: B;
  /** Sent as they are, base64 on the wire of the gateway. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers JSON with a status, or passes the failure on. */
export const answer = <B>(outcome: Outcome<B>, status = 200): Outcome<HttpReply<B>> =>
  outcome.ok ? ok({ status, body: outcome.value }) : outcome;

/** Answers JSON that was made without anything that could fail. */
export const answerWith = <B>(body: B, status = 200): Outcome<HttpReply<B>> => ok({ status, body });

/** Sends the caller to another address for the content. */
export const redirect = (location: string): HttpReply<undefined> => ({ status: 307, headers: { location } });

export type HandlerResult<B> = Outcome<HttpReply<B>>;

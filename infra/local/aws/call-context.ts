// What the services need to answer a call, besides the call itself.
import type { Assembly, Clock, LocalFunction } from '#infra/local/model.ts';

export interface CallContext {
  readonly assembly: Assembly;
  readonly clock: Clock;
  /** The function whose permissions the call has. */
  readonly fn: LocalFunction;
  readonly dynamodbUrl: string;
  readonly fauxqsUrl: string;
  readonly dataDir: string;
  readonly outboxDir: string;
  /** Where clients reach this endpoint. */
  readonly origin: string;
}

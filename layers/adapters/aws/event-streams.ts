// Stands in for `@smithy/core/event-streams` under the SDK clients in bundles: no operation that is used here streams
// events, and what reads them is 12 KB of every bundle with the bucket or the table.

/** Throws: reaching it means that a call with an event stream was added. */
export class EventStreamSerde {
  constructor() {
    throw new Error('event streams are left out of the bundles');
  }
}

export const eventStreamSerdeProvider = (): undefined => undefined;

/** The configuration as it is, without a reader of event streams. */
export const resolveEventStreamSerdeConfig = <T>(config: T): T => config;

// How long a call to AWS may take. The SDK waits for ever by default: one answer that never comes would hold a request
// until Lambda kills it, and its caller would hear of it from the gateway.

const CONNECTION_MS = 1000;

/**
 * Settings of a client whose calls are given up, and repeated by the SDK, after `milliseconds`. A transaction that is
 * repeated carries the same token, so it is made once.
 */
export const patience = (milliseconds: number) => ({
  requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: milliseconds, throwOnRequestTimeout: true },
});

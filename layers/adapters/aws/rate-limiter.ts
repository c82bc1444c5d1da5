// Stands in for the rate limiter of the SDK's adaptive retries in bundles. The functions retry by the standard mode; set
// to the adaptive one, a client works all the same and retries like the standard.

/** Never holds a call back. */
export class DefaultRateLimiter {
  async getSendToken(): Promise<void> {}
  updateClientSendingRate(): void {}
}

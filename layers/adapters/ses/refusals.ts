// What an error of SES says about the message: for sure not taken, or nobody knows.
interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const statusOf = (error: unknown): number => (error as ServiceError).$metadata?.httpStatusCode ?? 0;

/** Not taken because there is too much at the moment. */
export const isThrottled = (error: unknown): boolean => error instanceof Error && /Throttl|TooManyRequests|LimitExceeded/.test(error.name);

/** Only an answer with a 4xx status says for sure that the message was not taken. */
export const isRefused = (error: unknown): boolean => isThrottled(error) || (statusOf(error) >= 400 && statusOf(error) < 500);

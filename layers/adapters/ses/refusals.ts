// What an error of SES says about the message: for sure not taken, or nobody knows.
interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const statusOf = (error: unknown): number => (error as ServiceError).$metadata?.httpStatusCode ?? 0;

/** Not taken because there is too much at the moment. */
export const isThrottled = (error: unknown): boolean => error instanceof Error && /Throttl|TooManyRequests|LimitExceeded/.test(error.name);

const TIMED_OUT = 408;

/** Only an answer with a 4xx status says for sure that the message was not taken; a time-out says nothing. */
export const isRefused = (error: unknown): boolean => {
  const status = statusOf(error);
  return isThrottled(error) || (status >= 400 && status < 500 && status !== TIMED_OUT);
};

/** Refused for what the message is, not for who asked, or when: it would be refused again. */
export const isAboutMessage = (error: unknown): boolean =>
  error instanceof Error && /^(?:MessageRejected|InvalidParameterValue)/.test(error.name);

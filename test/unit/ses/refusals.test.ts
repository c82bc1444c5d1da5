// What an error of SES says: not taken for sure, refused for what the message is, or nothing at all.
import { expect, it } from 'vitest';
import { isAboutMessage, isRefused, isThrottled } from '#adapters/ses/refusals.ts';

const errorOf = (name: string, httpStatusCode?: number): Error =>
  Object.assign(new Error(name), { name, ...(httpStatusCode !== undefined && { $metadata: { httpStatusCode } }) });

it.each([
  ['MessageRejected', 400, { refused: true, aboutMessage: true, throttled: false }],
  ['InvalidParameterValue', 400, { refused: true, aboutMessage: true, throttled: false }],
  ['Throttling', 400, { refused: true, aboutMessage: false, throttled: true }],
  ['TooManyRequestsException', 429, { refused: true, aboutMessage: false, throttled: true }],
  ['LimitExceededException', undefined, { refused: true, aboutMessage: false, throttled: true }],
  ['AccessDenied', 403, { refused: true, aboutMessage: false, throttled: false }],
  ['AccountSendingPausedException', 400, { refused: true, aboutMessage: false, throttled: false }],
  ['RequestTimeout', 408, { refused: false, aboutMessage: false, throttled: false }],
  ['InternalFailure', 500, { refused: false, aboutMessage: false, throttled: false }],
  ['TimeoutError', undefined, { refused: false, aboutMessage: false, throttled: false }],
])('behavior: %s (%s)', (name, status, wanted) => {
  const error = errorOf(name, status);

  expect({ refused: isRefused(error), aboutMessage: isAboutMessage(error), throttled: isThrottled(error) }).toEqual(wanted);
});

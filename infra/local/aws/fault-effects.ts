// Makes injected faults happen: errors in the exact shape of the service, answers that never come, and workers that
// die around the call.
import type { AwsCall, Service } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import type { FaultEffect } from './faults.ts';

type Refusal = readonly [status: number, code: string, message: string];

const THROTTLES: Readonly<Record<Service, Refusal>> = {
  dynamodb: [400, 'ProvisionedThroughputExceededException', 'The level of configured provisioned throughput for the table was exceeded.'],
  s3: [503, 'SlowDown', 'Please reduce your request rate.'],
  sqs: [400, 'RequestThrottled', 'Request is throttled.'],
  sns: [400, 'Throttled', 'Rate exceeded'],
  secretsmanager: [400, 'ThrottlingException', 'Rate exceeded'],
  ses: [400, 'Throttling', 'Maximum sending rate exceeded.'],
  cloudwatch: [400, 'Throttling', 'Rate exceeded'],
};

const FAILURES: Readonly<Record<Service, Refusal>> = {
  dynamodb: [500, 'InternalServerError', 'Internal server error'],
  s3: [500, 'InternalError', 'We encountered an internal error. Please try again.'],
  sqs: [500, 'InternalFailure', 'The request processing has failed because of an unknown error, exception or failure.'],
  sns: [500, 'InternalError', 'The request processing has failed due to an unknown error, exception, or failure.'],
  secretsmanager: [500, 'InternalServiceError', 'An error occurred on the server side.'],
  ses: [500, 'InternalFailure', 'The request processing has failed because of an unknown error, exception or failure.'],
  cloudwatch: [500, 'InternalServiceFault', 'Request processing has failed because of an unknown error, exception or failure.'],
};

/** Version 2 of the SES API has names of its own. */
const SES_V2_THROTTLE: Refusal = [429, 'TooManyRequestsException', 'Too many requests have been made to the operation.'];
const SES_V2_FAILURE: Refusal = [500, 'InternalServiceErrorException', 'The request processing has failed because of an unknown error.'];

const CONFLICT_CODES: Readonly<Record<Service, string>> = {
  dynamodb: 'TransactionConflictException',
  s3: 'ConditionalRequestConflict',
  sqs: 'ResourceConflict',
  sns: 'ConcurrentAccess',
  secretsmanager: 'ResourceExistsException',
  ses: 'ConflictException',
  cloudwatch: 'ConflictException',
};

/** A transaction is cancelled with one reason per item; the first item is the one that was in use. */
function cancelledTransaction(items: readonly unknown[]): AwsError {
  const reasons = items.map((_item, index) =>
    index === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code: code }) => code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new AwsError(400, 'TransactionCanceledException', message, { CancellationReasons: reasons });
}

function conflict(call: AwsCall): AwsError {
  const items = call.input['TransactItems'];
  if (call.service === 'dynamodb' && Array.isArray(items)) return cancelledTransaction(items);
  if (call.service === 'dynamodb') return new AwsError(400, 'TransactionConflictException', 'Transaction is ongoing for the item');
  return new AwsError(
    409,
    CONFLICT_CODES[call.service],
    'A conflicting operation is currently in progress against this resource. Please try again.',
  );
}

/** The error that a fault answers with, or nothing for those faults that are no answers. */
export function injectedError(call: AwsCall, effect: FaultEffect): AwsError | undefined {
  const isSesV2 = call.service === 'ses' && call.protocol === 'rest-json';
  switch (effect) {
    case 'throttle':
      return new AwsError(...(isSesV2 ? SES_V2_THROTTLE : THROTTLES[call.service]));
    case 'error_500':
      return new AwsError(...internalFailure(call));
    case 'conflict':
      return conflict(call);
    default:
      return undefined;
  }
}

/** What a service answers when it is broken itself; also used when an emulator cannot be reached. */
export function internalFailure(call: AwsCall): Refusal {
  return call.service === 'ses' && call.protocol === 'rest-json' ? SES_V2_FAILURE : FAILURES[call.service];
}

/** Faults after whose moment the call has taken effect, so that it has to be passed on first. */
export const takesEffect = (effect: FaultEffect): boolean => effect === 'timeout_after_commit' || effect === 'crash_after';

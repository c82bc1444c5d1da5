// Turns whatever was thrown into the error body; faults of ours are logged with their causes and answered vaguely.
import { FailureError } from '#domain/errors.ts';
import { logFault } from '#runtime/logger.ts';
import { failureOf, problemReply } from '../problem.ts';
import { toResult } from '../to-result.ts';
import type { HttpMiddleware } from './open-exchange.ts';

export const renderErrorsMiddleware = (): HttpMiddleware => ({
  onError: (request) => {
    const { event, error } = request;
    const requestId = event.requestContext.requestId;
    if (!(error instanceof FailureError)) logFault('the request failed', error, { requestId, route: event.routeKey });
    request.response = toResult(problemReply(failureOf(error), requestId));
  },
});

// Tells a payment that is refused from a chain that does not answer. The library throws whatever its own parts throw, and
// its classes are bundled apart from ours, so errors are told by their names.
import { fail, type Failure } from '#domain/errors.ts';
import { logger } from '#runtime/logger.ts';

/** What the chain library calls a request that nobody answered. */
const UNANSWERED: ReadonlySet<string> = new Set(['HttpRequestError', 'TimeoutError', 'SocketClosedError', 'WebSocketRequestError']);
/** JSON-RPC: the node is over a limit, or has no resources. */
const OVERLOADED: ReadonlySet<number> = new Set([-32005, -32002, 429]);
const CAUSES_MAX = 10;

const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < CAUSES_MAX; at = at.cause) causes.push(at);
  return causes;
};

const isUnanswered = (error: Error): boolean =>
  UNANSWERED.has(error.name) || (error.name === 'RpcRequestError' && 'code' in error && OVERLOADED.has(Number(error.code)));

/** Problems of the Payment scheme: their sentences are written for the payer. */
const isProblem = (error: unknown): error is Error => error instanceof Error && 'toProblemDetails' in error;

const firstLine = (text: string): string => text.split('\n')[0] ?? text;

/** The failure that an error of the payment library means. */
export const paymentFailure = (error: unknown): Failure => {
  if (isProblem(error)) return fail('payment_required', { message: firstLine(error.message) });
  const causes = causesOf(error);
  if (causes.some(isUnanswered)) return fail('chain_unavailable');
  // An unknown transaction, a payer without funds, or a payload that is no transaction: the payer's to put right.
  logger.info('a payment was refused', { causes: causes.map((cause) => `${cause.name}: ${firstLine(cause.message)}`) });
  return fail('payment_required', {
    message: 'The payment could not be verified: the transaction is unknown, or its payer lacks the funds',
  });
};

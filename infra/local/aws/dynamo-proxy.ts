// DynamoDB: passes calls on to dynoxide and reads from every reply what it consumed. Capacity is always asked for;
// a caller that did not ask never sees the answer.
import type { AwsCall } from './aws-call.ts';
import type { Reply } from './replies.ts';
import { callUpstream, endToEndHeaders, readAll } from './upstream.ts';

type Fields = Record<string, unknown>;

const READS = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan']);
const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

const reportsCapacity = (operation: string): boolean => READS.has(operation) || WRITES.has(operation);

const asksForCapacity = (call: AwsCall): boolean => {
  const wish = call.input['ReturnConsumedCapacity'];
  return wish === 'TOTAL' || wish === 'INDEXES';
};

const OPENING = Buffer.from('{"ReturnConsumedCapacity":"TOTAL",');

/** The request with a question for its capacity. The bytes are only built anew when the caller said NONE. */
function withCapacityAsked(call: AwsCall): Buffer {
  if (!reportsCapacity(call.operation) || asksForCapacity(call)) return call.body;
  if (call.input['ReturnConsumedCapacity'] !== undefined || Object.keys(call.input).length === 0) {
    return Buffer.from(JSON.stringify({ ...call.input, ReturnConsumedCapacity: 'TOTAL' }));
  }
  return Buffer.concat([OPENING, call.body.subarray(call.body.indexOf('{') + 1)]);
}

interface Units {
  readonly read: number;
  readonly write: number;
}

interface ConsumedCapacity {
  readonly CapacityUnits?: number;
  readonly ReadCapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
}

function unitsOf(operation: string, consumed: unknown): Units {
  const parts = (Array.isArray(consumed) ? consumed : [consumed ?? {}]) as readonly ConsumedCapacity[];
  const isRead = READS.has(operation);
  let read = 0;
  let write = 0;
  for (const part of parts) {
    const total = part.CapacityUnits ?? 0;
    // A transaction that is repeated under its token is answered by reading: it says so in the split figures.
    const readPart = part.ReadCapacityUnits ?? (isRead ? total : total - (part.WriteCapacityUnits ?? total));
    read += readPart;
    write += total - readPart;
  }
  return { read, write };
}

/** A failed condition costs a write like any other, though the error cannot say so; the smallest possible is counted. */
function unitsOfFailure(call: AwsCall, error: Fields): Units {
  const type = String(error['__type'] ?? '');
  if (type.endsWith('#ConditionalCheckFailedException')) return { read: 0, write: 1 };
  const reasons = error['CancellationReasons'];
  if (!Array.isArray(reasons)) return { read: 0, write: 0 };
  const units = reasons.length * 2;
  return READS.has(call.operation) ? { read: units, write: 0 } : { read: 0, write: units };
}

/** Passes one call on to the emulator at `baseUrl`. */
export async function proxyDynamo(call: AwsCall, baseUrl: string): Promise<Reply> {
  const upstream = await callUpstream(baseUrl, {
    method: 'POST',
    path: '/',
    headers: endToEndHeaders(call.headers, ['accept-encoding']),
    body: withCapacityAsked(call),
  });
  const bytes = await readAll(upstream.body);
  const headers = endToEndHeaders(upstream.headers, ['x-dynoxide-version', 'server', 'date']);
  if (!reportsCapacity(call.operation))
    return { status: upstream.status, headers: { ...headers, 'content-length': bytes.length }, body: bytes };
  const { ConsumedCapacity: consumed, ...rest } = JSON.parse(bytes.toString('utf8')) as Fields;
  const units = upstream.status === 200 ? unitsOf(call.operation, consumed) : unitsOfFailure(call, rest);
  const body = asksForCapacity(call) || consumed === undefined ? bytes : Buffer.from(JSON.stringify(rest));
  // The checksum was of the bytes before the cut.
  const { 'x-amz-crc32': _checksum, ...kept } = headers;
  return { status: upstream.status, headers: { ...kept, 'content-length': body.length }, body, units };
}

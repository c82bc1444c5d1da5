// Calls an emulator in AWS's JSON protocol, directly: the stack's own work is neither checked against IAM nor metered.
import { asObject, asText, type Json } from './shapes.ts';

/** The prefixes of the target header by service. */
export const TARGETS = {
  dynamodb: 'DynamoDB_20120810',
  streams: 'DynamoDBStreams_20120810',
  sqs: 'AmazonSQS',
} as const;

/** What an emulator refused; `code` is AWS's name for it, e.g. `ResourceInUseException`. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends one call and answers its JSON reply. Throws EmulatorError for a refusal, TypeError when nobody listens. */
export async function callJson(url: string, service: keyof typeof TARGETS, operation: string, input: Json): Promise<Json> {
  const scope = service === 'sqs' ? 'sqs' : 'dynamodb';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${TARGETS[service]}.${operation}`,
      // The emulators want to see a signature, but do not check it.
      authorization: `AWS4-HMAC-SHA256 Credential=LOCAL/20260101/us-east-1/${scope}/aws4_request, SignedHeaders=host, Signature=0`,
      'x-amz-date': '20260101T000000Z',
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  const reply = asObject(text === '' ? {} : (JSON.parse(text) as unknown));
  if (response.ok) return reply;
  const code = (asText(reply['__type']) ?? String(response.status)).split('#').at(-1) ?? '';
  throw new EmulatorError(code, `${operation}: ${asText(reply['message']) ?? asText(reply['Message']) ?? text}`);
}

// A receiver of webhooks on this machine: answers each path as it was told to and remembers what came.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> };
  /** Milliseconds on the machine's own clock, which nobody moves. */
  readonly arrivedAtMs: number;
}

/** `hang` keeps the connection open and says nothing. */
export type Behaviour = number | 'hang' | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

export class WebhookReceiver {
  readonly events: ReceivedEvent[] = [];
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      this.#remember(path, request.headers, Buffer.concat(chunks).toString('utf8'));
      this.#answer(this.#behaviours.get(path) ?? 200, response);
    });
  });
  connections = 0;

  async listen(): Promise<void> {
    this.#server.on('connection', () => {
      this.connections += 1;
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  answers(path: string, behaviour: Behaviour): void {
    this.#behaviours.set(path, behaviour);
  }

  at(path: string): readonly ReceivedEvent[] {
    return this.events.filter((event) => event.path === path);
  }

  #remember(path: string, headers: IncomingHttpHeaders, body: string): void {
    const event = JSON.parse(body === '' ? '{}' : body) as ReceivedEvent['event'];
    const timestamp = Number(headers['webhook-timestamp']);
    this.events.push({ path, headers, id: String(headers['webhook-id']), timestamp, body, event, arrivedAtMs: performance.now() });
  }

  #answer(behaviour: Behaviour, response: ServerResponse): void {
    if (behaviour === 'hang') return;
    if (typeof behaviour === 'number') response.writeHead(behaviour).end(`answered ${behaviour}`);
    else response.writeHead(behaviour.status, behaviour.headers).end();
  }
}

/** A receiver for a test file. */
export const useReceiver = (): WebhookReceiver => {
  const receiver = new WebhookReceiver();
  beforeAll(() => receiver.listen());
  afterAll(() => receiver.close());
  return receiver;
};

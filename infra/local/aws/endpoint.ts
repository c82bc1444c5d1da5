// The one HTTP endpoint that every AWS client of the functions points at. Each request becomes a call of a known
// function, is checked against its role, may meet an injected fault, is answered, and is counted.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Door, listenOnLoopback } from '#infra/local/held-port.ts';
import type { Assembly, CallerDirectory, Clock } from '#infra/local/model.ts';
import { authorize, type Principal, principalOf } from './authorize.ts';
import { type AwsCall, readCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { errorReply, type Reply, textReply } from './replies.ts';
import { injectedError, internalFailure, takesEffect } from './fault-effects.ts';
import type { FaultEffect, Faults } from './faults.ts';
import type { Meter } from './meter.ts';
import { checkPresigned, LOCAL_SECRET_ACCESS_KEY, withHoistedHeaders } from './presigned.ts';
import { answerCall } from './services.ts';

export interface AwsEndpointOptions {
  /** Default 0: any free port. */
  readonly port?: Door;
  /** Asked anew at each call, since the assembly holds queue URLs that name this endpoint. */
  readonly assembly: () => Assembly;
  readonly callers: CallerDirectory;
  readonly clock: Clock;
  readonly dynamodbUrl: string;
  readonly fauxqsUrl: string;
  readonly dataDir: string;
  readonly outboxDir: string;
  readonly meter: Meter;
  readonly faults: Faults;
  /** Origin to name in queue URLs, when clients reach the endpoint under another than its own. */
  readonly baseUrl?: string;
  /** What environments sign with (`AWS_SECRET_ACCESS_KEY`); default LOCAL_SECRET_ACCESS_KEY. */
  readonly secretAccessKey?: string;
}

export interface AwsEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** The largest message SES takes, 40 MB, grows by a third in base64; S3 uploads stay under this too. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** How long a call without an answer is held open; clients give up before. */
const UNANSWERED_MS = 60_000;

/** What happens to the connection in place of an answer. */
type NoAnswer = 'hold' | 'drop';

class AwsEndpointServer {
  readonly #options: AwsEndpointOptions;
  readonly #server: Server;
  readonly #heldTimers = new Set<NodeJS.Timeout>();
  #origin = '';

  constructor(options: AwsEndpointOptions) {
    this.#options = options;
    this.#server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
  }

  async listen(): Promise<string> {
    const { port = 0, baseUrl } = this.#options;
    const url = `http://127.0.0.1:${await listenOnLoopback(this.#server, port)}`;
    this.#origin = baseUrl ?? url;
    return url;
  }

  async close(): Promise<void> {
    for (const timer of this.#heldTimers) clearTimeout(timer);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request);
    if (answer === 'hold') this.#hold(response);
    else if (answer === 'drop') response.destroy();
    else {
      // Clients of AWS correct their clock by this header, and would sign URLs with the machine's time instead of the moved one.
      const date = new Date(this.#options.clock.nowMs()).toUTCString();
      await send({ ...answer, headers: { ...answer.headers, date } }, response);
    }
  }

  async #answer(request: IncomingMessage): Promise<Reply | NoAnswer> {
    let call: AwsCall | undefined;
    try {
      const body = await readBody(request);
      const head = { method: request.method ?? 'GET', url: request.url ?? '/', headers: request.headers };
      call = readCall(head, body);
      return await this.#handle(call);
    } catch (error) {
      if (call === undefined) return unreadable(error);
      if (error instanceof AwsError) return errorReply(call, error);
      process.emitWarning(`${call.service} ${call.operation}: ${String(error)}`);
      return errorReply(call, new AwsError(...internalFailure(call)));
    }
  }

  async #handle(received: AwsCall): Promise<Reply | NoAnswer> {
    const { callers, clock, faults, secretAccessKey = LOCAL_SECRET_ACCESS_KEY } = this.#options;
    const assembly = this.#options.assembly();
    const principal = principalOf(received, assembly, callers);
    if (received.presigned) checkPresigned(received, clock.nowMs(), secretAccessKey);
    const call = received.presigned ? withHoistedHeaders(received) : received;
    authorize(call, principal.fn, assembly);
    const effect = faults.take(call.service, call.operation);
    return effect === undefined ? await this.#perform(call, principal, assembly) : await this.#disturb(call, principal, assembly, effect);
  }

  async #perform(call: AwsCall, principal: Principal, assembly: Assembly): Promise<Reply> {
    const { clock, dynamodbUrl, fauxqsUrl, dataDir, outboxDir, meter } = this.#options;
    const sample = { function: principal.fn.name, route: principal.route, service: call.service, operation: call.operation };
    let units = { read: 0, write: 0 };
    try {
      const reply = await answerCall(call, {
        assembly,
        clock,
        fn: principal.fn,
        dynamodbUrl,
        fauxqsUrl,
        dataDir,
        outboxDir,
        origin: this.#origin,
      });
      units = reply.units ?? units;
      return reply;
    } finally {
      meter.recordCall({ ...sample, readUnits: units.read, writeUnits: units.write });
    }
  }

  async #disturb(call: AwsCall, principal: Principal, assembly: Assembly, effect: FaultEffect): Promise<Reply | NoAnswer> {
    const error = injectedError(call, effect);
    if (error) {
      this.#options.meter.recordCall({
        function: principal.fn.name,
        route: principal.route,
        service: call.service,
        operation: call.operation,
        readUnits: 0,
        writeUnits: 0,
      });
      throw error;
    }
    if (takesEffect(effect)) await this.#performUnanswered(call, principal, assembly);
    if (effect === 'timeout' || effect === 'timeout_after_commit') return 'hold';
    if (principal.environmentId !== undefined) this.#options.callers.crash(principal.environmentId);
    return 'drop';
  }

  /** Lets a call take effect and throws its answer away, errors included: the caller is not to know. */
  async #performUnanswered(call: AwsCall, principal: Principal, assembly: Assembly): Promise<void> {
    try {
      const { body } = await this.#perform(call, principal, assembly);
      if (!Buffer.isBuffer(body)) body.resume();
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
    }
  }

  #hold(response: ServerResponse): void {
    const timer = setTimeout(() => response.destroy(), UNANSWERED_MS);
    this.#heldTimers.add(timer);
    response.on('close', () => {
      clearTimeout(timer);
      this.#heldTimers.delete(timer);
    });
  }
}

/** Reads a body of at most BODY_BYTES_MAX; the rest of a larger one is taken in and dropped, so that the refusal can be read. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (length > BODY_BYTES_MAX)
    throw new AwsError(413, 'RequestEntityTooLarge', `The local stack takes bodies of up to ${BODY_BYTES_MAX} bytes.`);
  return Buffer.concat(chunks, length);
}

/** Answers what could not even be read as a call, and so has no protocol to answer in. */
function unreadable(error: unknown): Reply {
  if (!(error instanceof AwsError)) throw error;
  const body = JSON.stringify({ __type: error.code, message: error.message });
  return textReply(error.status, 'application/x-amz-json-1.0', body, { 'x-amzn-errortype': error.code });
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  if (Buffer.isBuffer(reply.body)) response.end(reply.body);
  else await pipeline(reply.body, response).catch(() => response.destroy());
}

/**
 * Starts the endpoint on loopback.
 *
 * @returns its URL, and how to stop it; closing also drops calls that are held open by a fault
 */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const server = new AwsEndpointServer(options);
  const url = await server.listen();
  return { url, close: () => server.close() };
}

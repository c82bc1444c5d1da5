// The HTTP API: an HTTP server that hands requests to functions with API Gateway's format, limits and own answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Door, listenOnLoopback } from './held-port.ts';
import { fromFunctionReply, type GatewayResponse, mapResponse, splitTarget, toHttpEvent } from './http-event.ts';
import type { InvocationResult } from './lambda.ts';
import type { Clock, LocalRoute } from './model.ts';
import { RouteTable } from './route-table.ts';

/** API Gateway takes at most 10 MB of body. */
const REQUEST_BYTES_MAX = 10 * 1024 * 1024;

/** A refused body is read away up to here; whoever sends more is cut off. */
const DISCARDED_BYTES_MAX = 100 * 1024 * 1024;

/** An HTTP API gives up on an integration after 30 s; the function runs on. */
const INTEGRATION_TIMEOUT_MS = 30_000;

export interface GatewaySettings {
  readonly port: Door;
  readonly routes: readonly LocalRoute[];
  readonly clock: Clock;
  readonly invoke: (functionId: string, event: unknown, route: string) => Promise<InvocationResult>;
}

export interface Gateway {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the HTTP API on loopback; port 0 takes a free one. */
export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  const table = new RouteTable(settings.routes);
  const server = createServer((request, response) => {
    answer(request, table, settings).then(
      (reply) => {
        response.setHeader('date', new Date(settings.clock.nowMs()).toUTCString());
        send(request, response, reply);
      },
      (error: unknown) => {
        // The client went away in the middle of its request: nobody is left to be answered.
        if (!request.destroyed) process.stderr.write(`gateway: ${error instanceof Error ? error.stack : String(error)}\n`);
        response.destroy();
      },
    );
  });
  // Node would close an idle connection after 5 s, and a client that sends just then sees a reset.
  server.keepAliveTimeout = 75_000;
  const port = await listenOnLoopback(server, settings.port);
  return { port, stop: () => closeServer(server) };
}

/** Stops listening and cuts what is still open. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(request: IncomingMessage, table: RouteTable, settings: GatewaySettings): Promise<GatewayResponse> {
  const body = await readBody(request);
  if (body === undefined) return message(413, 'Request Entity Too Large');
  const match = table.match(request.method ?? 'GET', splitTarget(request.url ?? '/')[0]);
  if (!match) return message(404, 'Not Found');
  const event = toHttpEvent(request, body, match, settings.clock.nowMs());
  const result = await withinTimeout(settings.invoke(match.route.functionId, event, match.route.routeKey));
  if (result.outcome === 'too-large') return message(413, 'Request Entity Too Large');
  if (result.outcome === 'timeout' || result.outcome === 'throttled') return message(503, 'Service Unavailable');
  const reply = result.outcome === 'done' ? fromFunctionReply(result.payload) : undefined;
  if (!reply) return message(500, 'Internal Server Error');
  const mappings = match.route.responseParameters[String(reply.status)] ?? match.route.responseParameters['default'];
  return mappings ? mapResponse(reply, mappings) : reply;
}

/**
 * The whole body; undefined when it is over the limit. What is over is read all the same and thrown away:
 * a client that is still sending would see a reset instead of the answer.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DISCARDED_BYTES_MAX) throw new Error('a client keeps sending');
    if (size <= REQUEST_BYTES_MAX) chunks.push(chunk);
  }
  return size > REQUEST_BYTES_MAX ? undefined : Buffer.concat(chunks);
}

async function withinTimeout(invocation: Promise<InvocationResult>): Promise<InvocationResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<InvocationResult>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: 'timeout', payload: '' }), INTEGRATION_TIMEOUT_MS);
  });
  return Promise.race([invocation, timeout]).finally(() => clearTimeout(timer));
}

function message(status: number, text: string): GatewayResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify({ message: text })) };
}

function send(request: IncomingMessage, response: ServerResponse, reply: GatewayResponse): void {
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, typeof value === 'string' ? value : [...value]);
  const hasBody = request.method !== 'HEAD' && reply.status !== 204 && reply.status !== 304;
  if (reply.status !== 204) response.setHeader('content-length', reply.body.length);
  response.writeHead(reply.status);
  response.end(hasBody ? reply.body : undefined);
}

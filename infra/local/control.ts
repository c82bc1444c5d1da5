// The control URL: moves the clock, runs schedules, waits for quiet, and shows and disturbs what runs. Loopback only.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { InvocationResult } from './lambda.ts';
import { closeServer } from './gateway.ts';
import { type Door, listenOnLoopback } from './held-port.ts';
import { readMembers } from './shapes.ts';

/** What the control URL can do, by the parts of the stack that do it. */
export interface ControlActions {
  /** Moves all time on by whole seconds and answers the new time in Unix seconds; 0 only tells. */
  readonly advanceClock: (seconds: number) => Promise<number>;
  readonly runSchedules: (name?: string) => Promise<unknown>;
  /** Resolves when nothing is left to do; false when that took too long. */
  readonly drain: () => Promise<boolean>;
  readonly readMeter: () => unknown;
  readonly resetMeter: () => void;
  readonly addFaults: (list: readonly unknown[]) => void;
  readonly listFaults: () => unknown;
  readonly clearFaults: () => void;
  readonly listFunctions: () => unknown;
  readonly listQueues: () => unknown;
  /** Runs a function by name, for what only an operator starts. */
  readonly invokeFunction: (name: string, event: unknown) => Promise<InvocationResult>;
}

export interface Control {
  readonly port: number;
  stop(): Promise<void>;
}

/** A year: what a test may want at most; more is a unit mistaken. */
const ADVANCE_SECONDS_MAX = 366 * 86_400;

class BadRequest extends Error {}

type Answer = readonly [status: number, body: unknown];

/** Starts the control URL on `port` (0: a free one). */
export async function startControl(port: Door, actions: ControlActions): Promise<Control> {
  const calls = callsOf(actions);
  const server = createServer((request, response) => {
    answer(request, calls).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => send(response, statusOf(error), { error: error instanceof Error ? error.message : String(error) }),
    );
  });
  const actualPort = await listenOnLoopback(server, port);
  return { port: actualPort, stop: () => closeServer(server) };
}

function callsOf(actions: ControlActions): Readonly<Record<string, (body: unknown) => Promise<Answer> | Answer>> {
  return {
    'POST /clock': async (body) => [200, { now: await actions.advanceClock(secondsOf(body)) }],
    'GET /clock': async () => [200, { now: await actions.advanceClock(0) }],
    'POST /schedules/run': async (body) => [200, { runs: await actions.runSchedules(scheduleOf(body)) }],
    'POST /drain': async () =>
      (await actions.drain()) ? [200, { drained: true }] : [504, { error: 'there is still work going on', drained: false }],
    'GET /meter': () => [200, { rows: actions.readMeter() }],
    'DELETE /meter': () => {
      actions.resetMeter();
      return [200, { rows: [] }];
    },
    'POST /faults': (body) => {
      actions.addFaults(Array.isArray(body) ? body : [body]);
      return [200, { faults: actions.listFaults() }];
    },
    'GET /faults': () => [200, { faults: actions.listFaults() }],
    'DELETE /faults': () => {
      actions.clearFaults();
      return [200, { faults: [] }];
    },
    'GET /functions': () => [200, { functions: actions.listFunctions() }],
    'POST /functions/invoke': async (body) => {
      const { name, event } = invocationOf(body);
      const { outcome, payload } = await actions.invokeFunction(name, event);
      return [outcome === 'done' ? 200 : 502, { outcome, payload: payload === '' ? null : (JSON.parse(payload) as unknown) }];
    },
    'GET /queues': () => [200, { queues: actions.listQueues() }],
  };
}

async function answer(request: IncomingMessage, calls: ReturnType<typeof callsOf>): Promise<Answer> {
  // A web page open in the developer's browser could otherwise move the clock: browsers name their origin.
  if (request.headers.origin !== undefined) return [403, { error: 'not for browsers' }];
  const path = (request.url ?? '/').split('?')[0];
  const call = calls[`${request.method} ${path}`];
  if (!call) return [404, { error: `no such call; there are: ${Object.keys(calls).join(', ')}` }];
  return call(await readJson(request));
}

/** The body as JSON, whatever type it claims to be; nothing is read as `{}`. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await text(request);
  if (body.trim() === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new BadRequest('the body is no JSON');
  }
}

function secondsOf(body: unknown): number {
  const { advance_seconds: seconds = 0 } = readMembers(body, 'the body', ['advance_seconds']);
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0 || seconds > ADVANCE_SECONDS_MAX) {
    throw new BadRequest('advance_seconds must be a whole number from 0 to a year: the clock never goes backwards');
  }
  return seconds;
}

/** The schedule that is named; nothing stands for all of them, so that a name in a wrong shape must not pass for none. */
function scheduleOf(body: unknown): string | undefined {
  const { name } = readMembers(body, 'the body', ['name']);
  if (name === undefined || typeof name === 'string') return name;
  throw new BadRequest('name must be the name of a schedule; without it, all of them run');
}

function invocationOf(body: unknown): { readonly name: string; readonly event: unknown } {
  const { name, event } = readMembers(body, 'the body', ['name', 'event']);
  if (typeof name !== 'string') throw new BadRequest('name must be the name of a function');
  return { name, event: event ?? {} };
}

function statusOf(error: unknown): number {
  return error instanceof BadRequest || error instanceof TypeError || error instanceof RangeError ? 400 : 500;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}

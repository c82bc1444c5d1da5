// One local stack for a test file, in its own folder on free ports, gone when the file is done.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startStack } from '#infra/local/stack.ts';
import type { Stack, StackOptions } from '#infra/local/stack-settings.ts';
import { ApiClient } from './api-client.ts';

/** Control calls of the local stack, by the names of its contract. */
export class Control {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(this.url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Moves the clock and tells the time it is then. */
  async advance(seconds: number): Promise<number> {
    return (await this.call<{ now: number }>('POST', '/clock', { advance_seconds: seconds })).now;
  }

  drain(): Promise<unknown> {
    return this.call('POST', '/drain');
  }

  runSchedules(name?: string): Promise<unknown> {
    return this.call('POST', '/schedules/run', name === undefined ? {} : { name });
  }

  setFaults(faults: readonly Readonly<Record<string, unknown>>[]): Promise<unknown> {
    return this.call('POST', '/faults', faults);
  }

  clearFaults(): Promise<unknown> {
    return this.call('DELETE', '/faults');
  }
}

export interface TestStack {
  readonly stack: Stack;
  readonly api: ApiClient;
  readonly control: Control;
}

/** Starts a stack before the file's tests and stops it after them; read it inside tests only. */
export const useStack = (options: Pick<StackOptions, 'now' | 'settings'> = {}): { readonly current: TestStack } => {
  let running: TestStack | undefined;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-email-'));
    const stack = await startStack({ port: 0, dataDir: folder, ...options });
    running = { stack, api: new ApiClient(stack.base_url), control: new Control(stack.control_url) };
  }, 120_000);
  afterAll(async () => {
    await running?.stack.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);
  return {
    get current() {
      if (!running) throw new Error('the stack is not running yet');
      return running;
    },
  };
};

// Chooses the stack's ports and remembers them in the data folder, so that addresses handed out stay good over a restart.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asNumber, asObject } from './shapes.ts';

export type Ports<Name extends string> = Readonly<Record<Name, number>>;

export interface PortWish {
  readonly name: string;
  /** Taken before the remembered one. */
  readonly preferred?: number;
  /** Fails when the preferred one is in use, rather than taking another. */
  readonly isRequired?: boolean;
}

/** A port that a killed stack's children still hold becomes free within this time. */
const PATIENCE_MS = 1000;

/** Answers a free port for each wish: preferred, else remembered, else any. Throws when a required one is in use. */
export async function choosePorts<Name extends string>(
  file: string,
  wishes: readonly (PortWish & { readonly name: Name })[],
): Promise<Ports<Name>> {
  const remembered = existsSync(file) ? asObject(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const held: Server[] = [];
  const chosen: Partial<Record<Name, number>> = {};
  try {
    for (const wish of wishes) {
      const candidates = [wish.preferred, asNumber(remembered[wish.name])].filter((port) => port !== undefined && port > 0);
      const server = await holdFirst(wish.isRequired ? candidates.slice(0, 1) : candidates);
      if (!server && wish.isRequired && candidates.length > 0)
        throw new Error(`port ${candidates[0]} is in use: choose another with --port`);
      // All are held until every port is chosen, or two wishes could get the same.
      const taken = server ?? (await hold(0));
      held.push(taken);
      chosen[wish.name] = portOf(taken);
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(chosen, null, 2));
  return chosen as Ports<Name>;
}

async function holdFirst(ports: readonly (number | undefined)[]): Promise<Server | undefined> {
  for (const port of ports) {
    if (port === undefined) continue;
    for (const giveUpAt = performance.now() + PATIENCE_MS; ; await sleep(50)) {
      const server = await hold(port).catch(() => undefined);
      if (server) return server;
      if (performance.now() > giveUpAt) break;
    }
  }
  return undefined;
}

function hold(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

// A port that is held by a listener from the moment it is chosen, so that nobody takes it before what it is for listens there.
import { createServer, type Server } from 'node:net';

/** Where to listen: the number of a port, 0 for any free one, or a port that is held. */
export type Door = number | HeldPort;

/** How many ports may be lost to others before a start is given up. */
const LOSSES_MAX = 5;

/** A port with a listener that turns everybody away. */
export class HeldPort {
  readonly number: number;
  #holder: Server | undefined;

  private constructor(holder: Server) {
    const address = holder.address();
    this.number = typeof address === 'object' && address ? address.port : 0;
    this.#holder = holder;
  }

  /** Takes `port`, or any free one for 0. Throws EADDRINUSE. */
  static take(port: number): Promise<HeldPort> {
    return new Promise((resolve, reject) => {
      // Who connects before the time sees what a dead server shows, and tries again.
      const holder = createServer((socket) => socket.resetAndDestroy());
      holder.once('error', reject);
      holder.listen(port, '127.0.0.1', () => resolve(new HeldPort(holder)));
    });
  }

  /** Gives up the holder: whoever listens on it takes over its socket, and the port is free at no moment between. */
  handOver(): Server {
    const holder = this.#holder;
    if (!holder) throw new Error(`port ${this.number} is not held any more`);
    this.#holder = undefined;
    return holder;
  }

  /** Lets the port go; nothing, once it was handed over. */
  async release(): Promise<void> {
    const holder = this.#holder;
    this.#holder = undefined;
    if (holder) await new Promise((resolve) => holder.close(resolve));
  }
}

interface Listener<L> {
  listen(holder: Server): L;
  listen(port: number, host: string): L;
}

/** Lets a server of this process listen at a door on loopback. */
export const listenAt = <L>(listener: Listener<L>, door: Door): L =>
  typeof door === 'number' ? listener.listen(door, '127.0.0.1') : listener.listen(door.handOver());

/** Listens on 127.0.0.1 and answers the port. */
export function listenOnLoopback(server: Server, door: Door): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
    listenAt(server, door);
  });
}

/**
 * Starts what takes no socket but only a number, such as another program. Between the letting go and its listening somebody
 * may take the port: then another is found, unless the number was asked for.
 */
export async function startAt<T>(door: Door, start: (port: number) => Promise<T>): Promise<T> {
  if (typeof door === 'number' && door > 0) return start(door);
  let held = typeof door === 'number' ? await HeldPort.take(0) : door;
  for (let losses = 0; ; losses += 1) {
    await held.release();
    try {
      return await start(held.number);
    } catch (error) {
      if (losses === LOSSES_MAX || (await isFree(held.number))) throw error;
      held = await HeldPort.take(0);
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const held = await HeldPort.take(port).catch(() => undefined);
  await held?.release();
  return held !== undefined;
}

// Chooses the stack's ports and remembers them in the data folder, so that addresses handed out stay good over a restart.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeldPort } from './held-port.ts';
import { asNumber, asObject, type Json } from './shapes.ts';
import { writeWhole } from './whole-file.ts';

export type Ports<Name extends string> = Readonly<Record<Name, HeldPort>>;

export interface PortWish {
  readonly name: string;
  /** Taken before the remembered one. */
  readonly preferred?: number;
  /** Fails when the preferred one is in use, rather than taking another. */
  readonly isRequired?: boolean;
}

/** A port that a killed stack's children still hold becomes free within this time. */
const PATIENCE_MS = 1000;

/**
 * Holds a free port for each wish: preferred, else remembered, else any. Each stays held until what it is for takes it over,
 * or it is released. Throws when a required one is in use.
 */
export async function choosePorts<Name extends string>(
  file: string,
  wishes: readonly (PortWish & { readonly name: Name })[],
): Promise<Ports<Name>> {
  const remembered = readPorts(file);
  const chosen: Partial<Record<Name, HeldPort>> = {};
  try {
    for (const wish of wishes) chosen[wish.name] = await holdFor(wish, asNumber(remembered[wish.name]));
  } catch (error) {
    await releasePorts(chosen);
    throw error;
  }
  const ports = chosen as Ports<Name>;
  rememberPorts(file, ports);
  return ports;
}

/** Writes the ports down; `moved` are those that are served on another number than the chosen one. */
export function rememberPorts(file: string, ports: Ports<string>, moved: Readonly<Record<string, number>> = {}): void {
  const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, port.number]));
  writeWhole(file, JSON.stringify({ ...numbers, ...moved }, null, 2));
}

/** The remembered ports; none when the file is not there or cannot be read: any others do as well. */
function readPorts(file: string): Json {
  try {
    return asObject(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Lets go of all that nothing took over. */
export async function releasePorts(ports: Partial<Ports<string>>): Promise<void> {
  await Promise.all(Object.values(ports).map((port) => port?.release()));
}

async function holdFor({ preferred, isRequired }: PortWish, remembered: number | undefined): Promise<HeldPort> {
  const candidates = [preferred, remembered].filter((port) => port !== undefined && port > 0);
  const held = await holdFirst(isRequired ? candidates.slice(0, 1) : candidates);
  if (!held && isRequired && candidates.length > 0) throw new Error(`port ${candidates[0]} is in use: choose another with --port`);
  return held ?? HeldPort.take(0);
}

async function holdFirst(ports: readonly (number | undefined)[]): Promise<HeldPort | undefined> {
  for (const port of ports) {
    if (port === undefined) continue;
    for (const giveUpAt = performance.now() + PATIENCE_MS; ; await sleep(50)) {
      const held = await HeldPort.take(port).catch(() => undefined);
      if (held) return held;
      if (performance.now() > giveUpAt) break;
    }
  }
  return undefined;
}

// Which ports a stack has, what each would like to be, and what they came to be.
import { join } from 'node:path';
import { choosePorts, type Ports, rememberPorts } from './ports.ts';

const PORT_NAMES = ['gateway', 'control', 'smtp', 'aws', 'dynoxide', 'fauxqs', '8453', '1', '84532', 'tempo', 'world-id'] as const;
export type StackPorts = Ports<(typeof PORT_NAMES)[number]>;

const SMTP_PORT = 2525;

const fileIn = (dataDir: string): string => join(dataDir, 'ports.json');

/** Holds the ports of the stack in `dataDir`; `given` is the gateway's, 0 for the folder's own or any free ones. */
export function chooseStackPorts(dataDir: string, given: number): Promise<StackPorts> {
  const preferred: Partial<Record<string, number>> = given === 0 ? {} : { gateway: given, control: given + 1, smtp: SMTP_PORT };
  return choosePorts(
    fileIn(dataDir),
    PORT_NAMES.map((name) => ({
      name,
      ...(preferred[name] === undefined ? {} : { preferred: preferred[name] }),
      ...(name === 'gateway' && given !== 0 ? { isRequired: true } : {}),
    })),
  );
}

/** Remembers where the parts run that `urls` names: one that lost its port to somebody else runs on another. */
export function rememberStackPorts(dataDir: string, ports: StackPorts, urls: Readonly<Record<string, string>>): void {
  const moved = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, Number(new URL(url).port)]));
  rememberPorts(fileIn(dataDir), ports, moved);
}

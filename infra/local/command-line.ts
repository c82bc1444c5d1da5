// What `npm start` can be told.
import { parseArgs } from 'node:util';
import type { StackOptions } from './stack-settings.ts';

export const USAGE = 'npm start -- [--port 3000] [--data .local] [--fresh] [--now UNIX]';

const PORT_DEFAULT = '3000';
const DATA_DIR_DEFAULT = '.local';
/** The end of the year 9999: more is a time in milliseconds, or one that no date is written for. */
const NOW_MAX = 253_402_300_799;

/** Reads the command line, and from the environment what it leaves open. Throws with what an option has to be. */
export function readCommandLine(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): StackOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      fresh: { type: 'boolean' },
      now: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return 'help';
  if (values.data?.trim() === '') throw new Error('--data must name a folder');
  return {
    // A variable that is set to nothing is not set.
    port: wholeNumber('--port', values.port ?? (environment['PORT'] || PORT_DEFAULT), 65_535),
    dataDir: values.data ?? (environment['DATA_DIR'] || DATA_DIR_DEFAULT),
    fresh: values.fresh ?? false,
    ...(values.now === undefined ? {} : { now: wholeNumber('--now', values.now, NOW_MAX, ' (Unix seconds)') }),
  };
}

function wholeNumber(name: string, text: string, max: number, unit = ''): number {
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
  throw new Error(`${name} must be a whole number from 0 to ${max}${unit}`);
}

// Child processes that cannot outlive us: each is tied to a pipe that the kernel closes when this process ends,
// also when it ends by `kill -9`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// The shell starts a watcher that waits for the end of the pipe and then becomes the program itself by `exec`,
// so the child's id is the program's own. Descriptor 3, because a shell gives its background jobs no standard input.
const TIED = '(cat <&3 >/dev/null; kill -9 $$) 2>/dev/null & exec "$@" </dev/null 3<&-';

/** Starts `command`; it is killed when this process ends, however that happens. Output goes to `logFile`. */
export function spawnTied(
  command: string,
  parameters: readonly string[],
  options: { readonly logFile: string; readonly environment?: Readonly<Record<string, string>> },
): ChildProcess {
  const log = openSync(options.logFile, 'a');
  try {
    return spawn('/bin/sh', ['-c', TIED, 'sh', command, ...parameters], {
      stdio: ['ignore', log, log, 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', ...options.environment },
      // Ctrl-C in a terminal reaches the whole foreground group; the stack ends its children itself, in order.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

/** Ends a child: SIGTERM, then SIGKILL after `graceMs`. Resolves once it is gone. */
export async function endChild(child: ChildProcess, graceMs = 2000): Promise<void> {
  const isGone = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (!isGone()) {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(force);
  }
  const pipe = child.stdio[3];
  if (pipe && 'destroy' in pipe) pipe.destroy();
}

/**
 * Finds a program: the environment variable, then the platform's npm package, then PATH.
 * Throws with the three places when it is nowhere.
 */
export function findProgram(name: string, variable: string, packageFiles: readonly string[]): string {
  const named = process.env[variable];
  if (named) return named;
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = [...packageFiles, ...onPath].find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(
      `${name} not found: set ${variable}, install its npm package for ${process.platform}-${process.arch}, or put it on PATH`,
    );
  }
  makeExecutable(found);
  return found;
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    // Some registries hand out packages without the executable bit.
    chmodSync(file, 0o755);
  }
}

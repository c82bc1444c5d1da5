// `npm start`: reads the command line, starts the stack with progress on the screen, and ends it on a signal.
import { readCommandLine, USAGE } from './command-line.ts';
import { startStack } from './stack.ts';
import type { Stack, StackOptions } from './stack-settings.ts';

/** The promise is five seconds; whatever still hangs then is left to the pipes that end our children with us. */
const STOP_MS_MAX = 4500;

function optionsOrHelp(): StackOptions {
  const options = readCommandLine(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  return {
    ...options,
    onProgress: (step, tookMs) => process.stdout.write(`  ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${step}\n`),
    onNotice: (notice) => process.stdout.write(`           ${notice}\n`),
  };
}

function whatNow(stack: Stack): string {
  return `
ready  ${stack.base_url}

  curl ${stack.base_url}/api/openapi.json                 what it can do
  curl -X POST ${stack.control_url}/clock -d '{"advance_seconds": 3600}'   an hour later
  curl -X POST ${stack.control_url}/drain                    wait until all is quiet
  curl ${stack.control_url}/meter                            what each route costs
  mail for anybody@${stack.mail_domain}: SMTP at ${stack.smtp.host}:${stack.smtp.port}
  mail sent to the world: ${stack.outbox_dir}
  everything else: ${stack.data_dir}/stack.json, logs in ${stack.data_dir}/logs
`;
}

/** `npm start` runs this in a shell that passes no signal on: when that shell is gone, nobody is left to want the stack. */
const stopWithNpm = (stop: () => void): void => {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && stop(), 250).unref();
};

async function main(): Promise<void> {
  const startedAt = performance.now();
  const options = optionsOrHelp();
  let stack: Stack | undefined;
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
    // Before the stack is up there is nothing to save: our children end with our pipes.
    if (!stack) process.exit(130);
    process.stdout.write('stopping\n');
    void stack.stop().then(() => process.exit(0));
  };
  stopWithNpm(stop);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  stack = await startStack(options);
  options.onProgress?.('in all', performance.now() - startedAt);
  process.stdout.write(whatNow(stack));
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

// `npm run resume -- <handle or wallet>`: lets an account send to the outside again that the breaker stopped, on the local
// stack or, with --stage, in the cloud.
import { operate } from './operate.ts';

interface Reply {
  readonly error?: string;
  readonly wallet?: string;
  readonly was_paused?: boolean;
}

await operate('on-sender-resumed', 'npm run resume -- <handle or wallet> [--stage prod] [--data .local]', async (invoke, sender) => {
  const { error, wallet, was_paused: wasPaused } = (await invoke({ sender })) as Reply;
  if (error === undefined) process.stdout.write(`${wallet} ${wasPaused ? 'may send again' : 'was not paused'}\n`);
  else process.stderr.write(`${error}\n`);
  return error === undefined;
});

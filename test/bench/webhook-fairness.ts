// How long a mail takes to reach a good endpoint: alone, and beside one that hangs, one that redirects and one that fails.
// `node test/bench/webhook-fairness.ts [mails]`; tells the two as a ratio, since machines differ.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '#infra/local/stack.ts';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { ApiClient } from '#test/support/api-client.ts';
import { WebhookReceiver } from '#test/support/webhook-receiver.ts';

const MAILS_DEFAULT = 500;
const PATIENCE_MS = 120_000;
/** Slower than one small machine can deliver to four endpoints: else the work of four is measured, and not who waits for whom. */
const PACE_MS = 100;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;

interface Round {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly distinctIds: number;
  readonly calls: number;
}

const register = async (api: ApiClient, owner: Agent, url: string): Promise<void> => {
  const { status } = await api.post('/api/webhooks', { url }, owner.token);
  if (status !== 200) throw new Error(`${url} could not be registered`);
};

/** Sends mails at a steady pace and measures from each answer to its arrival at the good endpoint. */
const measure = async (
  api: ApiClient,
  receiver: WebhookReceiver,
  path: string,
  agents: { sender: Agent; owner: Agent },
  mails: number,
): Promise<Round> => {
  const idsAt = () => new Set(receiver.at(path).map(({ id }) => id));
  const wanted = idsAt().size + mails;
  const sentAt = new Map<string, number>();
  for (let i = 0; i < mails; i += 1) {
    const pause = sleep(PACE_MS);
    const { body } = await api.post('/api/send', { to: agents.owner.email, subject: `mail ${i}`, body: 'text' }, agents.sender.token);
    sentAt.set(String(body['email_id']), performance.now());
    await pause;
  }
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (idsAt().size < wanted && performance.now() < giveUpAt) await sleep(50);
  const first = new Map<string, number>();
  for (const { event, arrivedAtMs } of receiver.at(path)) {
    const mail = String(event.data['email_id']);
    if (!first.has(mail)) first.set(mail, arrivedAtMs);
  }
  const waits = [...sentAt].map(([mail, at]) => (first.get(mail) ?? Number.POSITIVE_INFINITY) - at);
  return { p50Ms: percentile(waits, 0.5), p95Ms: percentile(waits, 0.95), distinctIds: idsAt().size, calls: receiver.at(path).length };
};

const tell = (name: string, round: Round): void =>
  print(`| ${name} | ${round.p50Ms.toFixed(0)} | ${round.p95Ms.toFixed(0)} | ${round.distinctIds} | ${round.calls} |`);

const run = async (mails: number, folder: string): Promise<void> => {
  const receiver = new WebhookReceiver();
  await receiver.listen();
  const stack = await startStack({ port: 0, dataDir: folder, withoutChains: true });
  try {
    const api = new ApiClient(stack.base_url);
    receiver.answers('/hang', 'hang');
    receiver.answers('/redirect', { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } });
    receiver.answers('/broken', 500);
    const [alone, beside] = [
      { sender: await newAgent(api), owner: await newAgent(api) },
      { sender: await newAgent(api), owner: await newAgent(api) },
    ];
    await register(api, alone.owner, receiver.url('/alone'));
    for (const path of ['/hang', '/redirect', '/broken', '/beside']) await register(api, beside.owner, receiver.url(path));
    await measure(api, receiver, '/alone', alone, 20);
    print('| Good endpoint | p50 ms | p95 ms | distinct ids | calls |\n|---|---|---|---|---|');
    const first = await measure(api, receiver, '/alone', alone, mails);
    tell('alone', { ...first, distinctIds: first.distinctIds - 20, calls: first.calls - 20 });
    const second = await measure(api, receiver, '/beside', beside, mails);
    tell('beside three bad ones', second);
    print(`\np95 beside / alone: ${(second.p95Ms / first.p95Ms).toFixed(2)}`);
    print(`calls of the others: ${['/hang', '/redirect', '/broken'].map((path) => `${path} ${receiver.at(path).length}`).join(', ')}`);
  } finally {
    await stack.stop();
    await receiver.close();
  }
};

const folder = await mkdtemp(join(tmpdir(), 'agent-email-'));
try {
  await run(Number(process.argv[2] ?? MAILS_DEFAULT), folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

// The two commands as a user meets them: a process started from the shell, the README's session pasted word for word,
// a second stack beside the first, signals, and a power cut in the middle of the work.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { ApiClient } from '#test/support/api-client.ts';
import { Control } from '#test/support/test-stack.ts';

const run = promisify(execFile);

interface Description {
  readonly base_url: string;
  readonly control_url: string;
  readonly pid: number;
}

const running = new Set<ChildProcess>();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-email-e2e-'));
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Starts the stack as `npm start` does and waits for its ready line. */
const start = async (dataDir: string): Promise<{ child: ChildProcess; described: Description }> => {
  const child = spawn(process.execPath, ['infra/local/main.ts', '--port', '0', '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) if (line.startsWith('ready  ')) break;
  child.stdout?.resume();
  return { child, described: JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as Description };
};

const stop = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });

/** Processes whose command line names the data folder: the emulators and chains of that stack. */
const processesOf = async (dataDir: string): Promise<string[]> => {
  const { stdout } = await run('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(dataDir) && !line.startsWith('ps '));
};

const readmeSession = async (): Promise<string> => {
  const readme = await readFile('README.md', 'utf8');
  const block = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text ?? '').find((text) => text.startsWith('api='));
  if (block === undefined) throw new Error('the README has no session');
  return block;
};

describe('npm start', () => {
  it('serves the README session word for word', async () => {
    const dataDir = join(folder, 'readme');
    const { child, described } = await start(dataDir);
    const session = (await readmeSession()).replace('http://127.0.0.1:3000', described.base_url);
    const { stdout } = await run('bash', ['-ec', session], { env: { ...process.env, DATA_DIR: dataDir } });
    const [sent, inbox] = stdout.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(sent).toMatchObject({ success: true, internal: true, subject: 'Hello' });
    expect(inbox).toMatchObject({ total: 1, unread: 1, emails: [{ subject: 'Hello' }] });
    expect(await stop(child, 'SIGTERM')).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it('ends with npm, although the shell between them passes no signal on', async () => {
    const dataDir = join(folder, 'npm');
    const npm = spawn('npm', ['start', '--', '--port', '0', '--data', dataDir], { stdio: ['ignore', 'pipe', 'ignore'] });
    running.add(npm);
    for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith('ready  ')) break;
    npm.stdout.resume();
    npm.kill('SIGTERM');
    await expect.poll(() => processesOf(dataDir), { timeout: 5000 }).toEqual([]);
  });

  it('runs twice side by side, each with its own accounts', async () => {
    const [first, second] = [await start(join(folder, 'one')), await start(join(folder, 'two'))];
    const agent = await newAgent(new ApiClient(first.described.base_url));
    expect((await new ApiClient(second.described.base_url).get(`/api/identity/${agent.handle}`)).status).toBe(404);
    expect((await new ApiClient(second.described.base_url).get('/api/inbox', agent.token)).status).toBe(401);
    await Promise.all([stop(first.child, 'SIGTERM'), stop(second.child, 'SIGTERM')]);
  });
});

interface Answered {
  readonly id: string;
  readonly to: Agent;
}

const listAll = async (api: ApiClient, token: string, folderName: string): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: unknown = '';
  while (cursor !== null) {
    const { body } = await api.get(`/api/inbox?folder=${folderName}&limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`, token);
    ids.push(...(body['emails'] as { id: string }[]).map(({ id }) => id));
    cursor = body['next_cursor'];
  }
  return ids;
};

describe('kill -9', () => {
  it('loses no mail that was answered, doubles none, and leaves every counter and balance right', async () => {
    const dataDir = join(folder, 'killed');
    const first = await start(dataDir);
    const api = new ApiClient(first.described.base_url);
    const agents: Agent[] = [];
    for (let i = 0; i < 4; i += 1) agents.push(await newAgent(api));
    const answered: Answered[] = [];
    const at = (index: number): Agent => agents[index % agents.length] as Agent;
    const request = async (index: number): Promise<void> => {
      const [from, to] = [at(index), at(index + 1 + (index % 3))];
      if (index % 4 === 3) return void (await api.get('/api/inbox', from.token));
      const sent = await api.post('/api/send', { to: to.email, subject: `mail ${index}`, body: 'text' }, from.token);
      if (sent.status === 200) answered.push({ id: String(sent.body['email_id']), to });
    };
    const work = Array.from({ length: 200 }, (_, index) => request(index).catch(() => undefined));
    // In the middle of the work, not before its beginning and not after its end.
    while (answered.length < 40) await new Promise((resolve) => setImmediate(resolve));
    await stop(first.child, 'SIGKILL');
    await Promise.all(work);
    const second = await start(dataDir);
    const again = new ApiClient(second.described.base_url);
    await new Control(second.described.control_url).drain();
    for (const agent of agents) {
      const inbox = await listAll(again, agent.token, 'inbox');
      const expected = answered.filter(({ to }) => to === agent).map(({ id }) => id);
      expect(new Set(inbox).size).toBe(inbox.length);
      expect(inbox).toEqual(expect.arrayContaining(expected));
      const counted = (await again.get('/api/inbox', agent.token)).body;
      expect(counted['total']).toBe(inbox.length);
      expect((await again.get('/api/inbox?folder=sent', agent.token)).body['total']).toBe(
        (await listAll(again, agent.token, 'sent')).length,
      );
      const balance = Number((await again.get('/api/attn/balance', agent.token)).body['balance']);
      const { body } = await again.get('/api/attn/history?limit=100', agent.token);
      const rows = (body['transactions'] as { amount: number }[]).reduce((sum, { amount }) => sum + amount, 0);
      expect(rows).toBe(balance);
    }
    await stop(second.child, 'SIGTERM');
    expect(await processesOf(dataDir)).toEqual([]);
  });
});

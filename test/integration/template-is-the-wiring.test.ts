// The synthesized template is the only wiring: what it does not grant fails here as it would in the cloud, and a secret
// that is missing is missed only where it is needed.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAssembly } from '#infra/build.ts';
import { readConfig } from '#infra/config.ts';
import { secretFile } from '#infra/local/aws/secrets.ts';
import { startStack } from '#infra/local/stack.ts';
import { newAgent, newWallet, signedMessage } from '#test/support/agents.ts';
import { ApiClient } from '#test/support/api-client.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-email-wiring-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Statement {
  Action: string | string[];
}
interface Template {
  Resources: Record<string, { Type: string; Properties?: { PolicyDocument?: { Statement: Statement[] } } }>;
}

/** Takes an action out of the policies whose logical id names the function, and tells how many statements changed. */
const revoke = async (assembly: string, functionName: RegExp, action: string): Promise<number> => {
  let changed = 0;
  for (const name of (await readdir(assembly)).filter((file) => file.endsWith('.template.json'))) {
    const template = JSON.parse(await readFile(join(assembly, name), 'utf8')) as Template;
    for (const [id, resource] of Object.entries(template.Resources)) {
      if (resource.Type !== 'AWS::IAM::Policy' || !functionName.test(id)) continue;
      for (const statement of resource.Properties?.PolicyDocument?.Statement ?? []) {
        const kept = [statement.Action].flat().filter((granted) => granted !== action);
        if (kept.length < [statement.Action].flat().length) changed += 1;
        statement.Action = kept;
      }
    }
    await writeFile(join(assembly, name), JSON.stringify(template));
  }
  return changed;
};

describe('IAM', () => {
  it('fails exactly the function whose PutItem the template does not grant, with AccessDenied', async () => {
    const built = join(folder, 'built');
    const cdkOut = join(folder, 'cdk.out');
    await buildAssembly(
      built,
      readConfig(() => undefined, {}),
    );
    await cp(built, cdkOut, { recursive: true });
    expect(await revoke(cdkOut, /^sendinghttp/i, 'dynamodb:PutItem')).toBeGreaterThan(0);
    const dataDir = join(folder, 'data');
    const stack = await startStack({ port: 0, dataDir, cdkOut });
    try {
      const api = new ApiClient(stack.base_url);
      const agent = await newAgent(api);
      const sent = await api.post('/api/send', { to: agent.email, subject: 's', body: 'b' }, agent.token);
      expect(sent.status).toBe(500);
      expect((await api.post('/api/keys/create', {}, agent.token)).status).toBe(200);
      expect((await api.get('/api/inbox', agent.token)).body['total']).toBe(0);
      expect(sent.body['code']).toBe('internal_error');
      const log = () => readFile(join(dataDir, 'logs', 'sending-http.log'), 'utf8');
      await expect.poll(log).toContain('not authorized to perform: dynamodb:PutItem');
    } finally {
      await stack.stop();
    }
  });
});

describe('a deployment without its signing secret', () => {
  it('answers 503 where tokens are made or checked, and makes no account', async () => {
    const dataDir = join(folder, 'unsigned');
    const first = await startStack({ port: 0, dataDir });
    await first.stop();
    const secrets = await readdir(join(dataDir, 'secrets'), { recursive: true });
    const signing = secrets.find((name) => name.endsWith('signing.json'));
    expect(signing).toBeDefined();
    await rm(secretFile(dataDir, String(signing).replace(/\.json$/, '')));
    const stack = await startStack({ port: 0, dataDir });
    try {
      const api = new ApiClient(stack.base_url);
      const key = newWallet();
      const register = await api.post('/api/auth/agent-register', await signedMessage(api, key));
      expect([register.status, register.body['code']]).toEqual([503, 'misconfigured']);
      expect((await api.post('/api/auth/verify', await signedMessage(api, key))).status).toBe(503);
      expect((await api.call('GET', '/api/inbox', { token: 'a.b.c' })).status).toBe(503);
      expect((await api.get(`/api/identity/wallet/${key.address}`)).status).toBe(404);
    } finally {
      await stack.stop();
    }
  });
});

// Every id that a route of the contract takes, tried by someone who is no party to it: the answer is the same, to the
// letter, as for an id that does not exist. The list of routes comes from the contract, so a new one is tried too.
import { beforeAll, describe, expect, it } from 'vitest';
import type { RouteRow } from '#contract/define-route.ts';
import { ROUTES } from '#contract/routes.ts';
import { type Agent, newAgent, newWallet } from '#test/support/agents.ts';
import type { ApiReply } from '#test/support/api-client.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

/** Parameters that name nobody's property. */
const PUBLIC_PARAMETERS: ReadonlySet<string> = new Set(['index', 'waveId']);

/** What a row needs to be called at all. */
const BODIES: Readonly<Record<string, unknown>> = { updateWebhook: { active: false } };

interface Ids {
  readonly foreign: string;
  readonly missing: string;
  readonly endless: string;
}

/** Ids by where they are used: the first segment of the path and the parameter. */
let ids: Readonly<Record<string, Ids>> = {};
let eve: Agent;

/** Longer than a key of the table may be. */
const ENDLESS_ID = 'a'.repeat(2100);
const MISSING_ID = '01k9zzzzzzzzzzzzzzzzzzzzzz';
const missingLike = (id: string): string => id.slice(0, -6) + [...id.slice(-6)].map((letter) => (letter === '0' ? '1' : '0')).join('');

const rowsWithIds = ROUTES.filter(
  (row) =>
    row.access !== 'public' && row.planned !== true && Object.keys(row.params?.shape ?? {}).some((name) => !PUBLIC_PARAMETERS.has(name)),
);

const keyOf = (row: RouteRow, name: string): string => `${row.path.split('/')[2]} ${name}`;

const pathOf = (row: RouteRow, kind: keyof Ids): string =>
  row.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    PUBLIC_PARAMETERS.has(name) ? '0' : encodeURIComponent(ids[keyOf(row, name)]?.[kind] ?? ''),
  );

const withoutRequestId = ({ status, body }: ApiReply): unknown => {
  const { request_id: _gone, ...rest } = body;
  return { status, body: rest };
};

const post = async (path: string, body: unknown, agent: Agent): Promise<Record<string, unknown>> => {
  const reply = await running.current.api.post(path, body, agent.token);
  expect([200, 201], `${path}: ${JSON.stringify(reply.body)}`).toContain(reply.status);
  return reply.body;
};

beforeAll(async () => {
  const { api, control } = running.current;
  const [alice, bob] = [await newAgent(api), await newAgent(api)];
  eve = await newAgent(api);
  const hook = String((await post('/api/webhooks', { url: 'http://127.0.0.1:9/hook' }, alice))['id']);
  const attachments = [{ filename: 'a.txt', data: 'aGk=' }];
  const mail = String((await post('/api/send', { to: alice.email, subject: 's', body: 'b', attachments }, bob))['email_id']);
  await control.drain();
  const deliveries = (await api.get(`/api/webhooks/${hook}/deliveries`, alice.token)).body['deliveries'] as { id: string }[];
  const sender = newWallet().address.toLowerCase();
  await post('/api/attention/whitelist', { sender_wallet: sender }, alice);
  const two = (foreign: string, missing = missingLike(foreign)): Ids => ({ foreign, missing, endless: ENDLESS_ID });
  ids = {
    'inbox id': two(mail, MISSING_ID),
    'attention email_id': two(mail, MISSING_ID),
    'attention sender': two(sender),
    'webhooks id': two(hook),
    'webhooks deliveryId': two(deliveries[0]?.id ?? ''),
    'aliases handle': two(alice.handle),
  };
}, 60_000);

describe('ids of others', () => {
  it.each(rowsWithIds.map((row) => [`${row.method} ${row.path}`, row] as const))('error: %s', async (_name, row) => {
    const { api } = running.current;
    for (const name of Object.keys(row.params?.shape ?? {})) {
      if (!PUBLIC_PARAMETERS.has(name))
        expect(ids[keyOf(row, name)]?.foreign, `an id of someone else for ${keyOf(row, name)}`).toBeTruthy();
    }
    const call = (kind: keyof Ids) => {
      const body = row.body ? { body: BODIES[row.operationId] ?? {} } : {};
      return api.call(row.method, pathOf(row, kind), { token: eve.token, ...body });
    };
    const [foreign, missing, endless] = [await call('foreign'), await call('missing'), await call('endless')];

    expect(foreign.status).toBe(404);
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing));
    expect(withoutRequestId(endless)).toEqual(withoutRequestId(missing));
  });

  it.each(['attn-price', 'identity', 'world-id/status', 'attention/price', 'attention/qaf'])(
    'error: public look-ups answer an endless handle like an unknown one: %s',
    async (path) => {
      const call = (handle: string) => running.current.api.get(`/api/${path}/${handle}`);
      const [missing, endless] = [await call('nobody-at-all'), await call(ENDLESS_ID)];

      expect(missing.status).toBe(404);
      expect(withoutRequestId(endless)).toEqual(withoutRequestId(missing));
    },
  );

  it('error: ids in bodies are no better', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const mail = String((await post('/api/send', { to: alice.email, subject: 's', body: 'b' }, alice))['email_id']);
    const key = String((await post('/api/keys/create', {}, alice))['id']);
    const upload = String((await post('/api/uploads', { filename: 'a', content_type: 'text/plain', size: 2 }, alice))['upload_id']);
    const message = { to: eve.email, subject: 's', body: 'b' };
    const cases: [string, (id: string) => unknown, string][] = [
      ['/api/send', (id) => ({ ...message, in_reply_to: id }), mail],
      ['/api/send', (id) => ({ ...message, attachments: [{ filename: 'a', upload_id: id }] }), upload],
      ['/api/keys/revoke', (id) => ({ id }), key],
      ['/api/inbox/mark-read', (id) => ({ ids: [id] }), mail],
    ];
    for (const [path, body, id] of cases) {
      const [foreign, missing] = [await api.post(path, body(id), eve.token), await api.post(path, body(missingLike(id)), eve.token)];
      const [told, toldMissing] = [withoutRequestId(foreign), withoutRequestId(missing)].map((reply) => JSON.stringify(reply));
      expect(told?.replaceAll(id, 'ID')).toBe(toldMissing?.replaceAll(missingLike(id), 'ID'));
    }

    expect((await api.get('/api/inbox', alice.token)).body).toMatchObject({ unread: 1 });
  });
});

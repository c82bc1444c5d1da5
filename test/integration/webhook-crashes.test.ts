// Functions that die around any of their calls: every mail is told, at least once, and always under the same id.
import { describe, expect, it } from 'vitest';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { useStack } from '#test/support/test-stack.ts';
import { useReceiver } from '#test/support/webhook-receiver.ts';

const stack = useStack();
const receiver = useReceiver();

const api = () => stack.current.api;
const control = () => stack.current.control;

const PATH = '/hook';
/** Longer than a message stays hidden that died with its function, and than a slot is held. */
const HIDDEN_SECONDS = 130;

interface MeterRow {
  readonly function: string;
  readonly calls: readonly { readonly calls: number }[];
}

/** A sender that dies itself, because it had its secrets to read again, is not what is tried here: it sends once more. */
const send = async (from: Agent, to: Agent, triesLeft = 2): Promise<string> => {
  const init = { method: 'POST', headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' } };
  const reply = await fetch(`${api().baseUrl}/api/send`, {
    ...init,
    body: JSON.stringify({ to: to.email, subject: 'news', body: 'text' }),
  });
  if (reply.status !== 200 && triesLeft > 0) return send(from, to, triesLeft - 1);
  expect(reply.status).toBe(200);
  return String(((await reply.json()) as { email_id: unknown }).email_id);
};

/** Waits out what died, then lets its messages come again. */
const comeAgain = async (seconds = HIDDEN_SECONDS): Promise<void> => {
  await control().drain();
  await control().clearFaults();
  await control().advance(seconds);
  await control().runSchedules();
  await control().drain();
};

const prepare = async (): Promise<{ sender: Agent; owner: Agent }> => {
  const [sender, owner] = [await newAgent(api()), await newAgent(api())];
  await api().post('/api/webhooks', { url: receiver.url(PATH) }, owner.token);
  receiver.answers(PATH, 200);
  await send(sender, owner);
  await control().drain();
  return { sender, owner };
};

const callsOf = (rows: readonly MeterRow[], wanted: (name: string) => boolean): number =>
  rows.filter((row) => wanted(row.function)).reduce((sum, row) => sum + row.calls.reduce((count, { calls }) => count + calls, 0), 0);

/** How many calls a send makes before it answers, and how many its announcement and delivery make after that. */
const countCalls = async (sender: Agent, owner: Agent): Promise<{ before: number; after: number }> => {
  await control().call('DELETE', '/meter');
  await send(sender, owner);
  await control().drain();
  const { rows } = await control().call<{ rows: readonly MeterRow[] }>('GET', '/meter');
  const isSender = (name: string): boolean => name.endsWith('sending-http');
  return { before: callsOf(rows, isSender), after: callsOf(rows, (name) => !isSender(name)) };
};

const receivedInAll = async (): Promise<number> => Number((await api().get('/api/stats')).body['received']);

/** The mails that were not told, or under more than one id. */
const faultsIn = (mails: readonly string[]): readonly string[] =>
  mails.filter((mail) => new Set(receiver.at(PATH).flatMap(({ id, event }) => (event.data['email_id'] === mail ? [id] : []))).size !== 1);

const deadLetters = async (): Promise<readonly unknown[]> => {
  const { queues } = await control().call<{ queues: { ready: number; is_dead_letter_queue: boolean }[] }>('GET', '/queues');
  return queues.filter((queue) => queue.is_dead_letter_queue && queue.ready > 0);
};

describe.each(['crash_before', 'crash_after'] as const)('%s', (effect) => {
  it('behavior: around each call of the announcing and the delivering function: every mail is told, under one id', async () => {
    const receivedBefore = await receivedInAll();
    const { sender, owner } = await prepare();
    const { before, after } = await countCalls(sender, owner);
    const mails: string[] = [];
    expect(after).toBeGreaterThanOrEqual(7);
    for (let call = 0; call < after; call += 1) {
      await control().setFaults([{ service: '*', operation: '*', after: before + call, count: 1, effect }]);
      mails.push(await send(sender, owner));
      await comeAgain();
    }
    await comeAgain();

    expect(faultsIn(mails)).toEqual([]);
    expect(await deadLetters()).toEqual([]);
    // A sender that died after its transaction sent a mail that it told nobody of: the inbox knows.
    const { total } = (await api().get('/api/inbox', owner.token)).body;
    expect((await receivedInAll()) - receivedBefore).toBe(total);
  }, 180_000);

  it('behavior: around each call of a repeated attempt: the mail still arrives', async () => {
    const { sender, owner } = await prepare();
    for (let call = 0; call < 6; call += 1) {
      receiver.answers(PATH, 500);
      const mail = await send(sender, owner);
      await control().drain();
      receiver.events.splice(0);
      receiver.answers(PATH, 200);
      await control().setFaults([{ service: '*', operation: '*', after: call, count: 1, effect }]);
      await control().advance(7);
      await comeAgain(400);
      await comeAgain();
      expect(faultsIn([mail]), `call ${call}`).toEqual([]);
    }
    expect(await deadLetters()).toEqual([]);
  }, 180_000);
});

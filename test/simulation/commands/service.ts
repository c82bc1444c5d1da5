// What happens to the service besides requests: time passes, schedules run, the provider reports, mail comes in, the
// stream is delivered, and time to live deletes, all of it late, repeated or out of order as it may be in the cloud.
import type { Wallet } from '#domain/values/wallet.ts';
import type { Random } from '../random.ts';
import { MAIL_DOMAIN, type ScheduledFunction } from '../world/functions.ts';
import { expiredKeys, removeItem } from '../world/snapshot.ts';
import { CONTEXT, type World } from '../world/world.ts';
import { batchDeed, queueRecords } from './batch.ts';
import { type Command, type Deed, OVER } from './command.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Mostly moments; now and then past an idempotency key, a stake, or the mail that waits for a wallet. */
const JUMPS: readonly number[] = [1, 5, 30, 30, 120, 950, 950, HOUR, HOUR, 6 * HOUR, DAY, 49 * HOUR, 31 * DAY];

const passTime: Command = {
  name: 'time passes',
  weight: 9,
  choose: async (world, random) => {
    const seconds = random.pick(JUMPS);
    world.now += seconds;
    world.note(`  ${seconds} s pass`);
    return undefined;
  },
};

export const scheduleDeed = (world: World, name: string, run: ScheduledFunction): Deed => ({
  label: name,
  isRepeated: false,
  run: async () => {
    if (run === world.functions.onOutboxDue) world.sweptAt.push(world.now);
    await run({}, CONTEXT);
    world.note(`  ${name} ran`);
    return OVER;
  },
});

const schedule = (name: 'onStakesDue' | 'onOutboxDue' | 'onPaymentsDue' | 'onBondsDue', weight: number): Command => ({
  name,
  weight,
  choose: async (world) => scheduleDeed(world, name, world.functions[name]),
});

/** What is reported of a message, by what becomes of it. */
const FATES: readonly (readonly string[])[] = [
  ['Send', 'DeliveryDelay', 'Delivery'],
  ['Send', 'Delivery'],
  ['Send', 'Bounce'],
  ['Send', 'Delivery', 'Complaint'],
  ['Send', 'Reject'],
];

const fateOf = (wireId: string): readonly string[] => FATES[Number.parseInt(wireId.slice(4, 8), 16) % FATES.length] ?? [];

interface Report {
  readonly emailId: string;
  readonly type: string;
  readonly body: string;
}

const reportOf = (world: World, message: World['cloud']['taken'][number], type: string): Report => ({
  emailId: message.emailId,
  type,
  body: JSON.stringify({
    eventType: type,
    mail: {
      messageId: message.wireId,
      timestamp: new Date(world.nowMs()).toISOString(),
      destination: [message.to],
      tags: { email_id: [message.emailId], wallet: [message.wallet] },
    },
    ...(type === 'Bounce' && { bounce: { bounceType: message.to.startsWith('p1') ? 'Transient' : 'Permanent' } }),
  }),
});

const reportDeed = (world: World, reports: readonly Report[]): Deed => {
  const label = `provider reports ${reports.map(({ emailId, type }) => `${type} of ${emailId.slice(-4)}`).join(', ')}`;
  return batchDeed(world, label, world.functions.onSesEvent, queueRecords(reports.map(({ body }) => body)), (index) => {
    const report = reports[index];
    if (report) world.reported.push({ emailId: report.emailId, type: report.type, at: world.now });
  });
};

/** Some of what there is to say of messages, in any order and again. */
const report: Command = {
  name: 'provider reports',
  weight: 8,
  choose: async (world, random) => {
    const messages = world.cloud.taken.filter(({ emailId }) => emailId !== '');
    if (messages.length === 0) return undefined;
    const reports = Array.from({ length: 1 + random.below(3) }, () => {
      const message = random.pick(messages.slice(-6));
      return reportOf(world, message, random.pick(fateOf(message.wireId)));
    });
    return reportDeed(world, reports);
  },
};

interface InboundMail {
  readonly sesId: string;
  readonly subject: string;
  readonly owners: readonly Wallet[];
}

const inboundOf = (world: World, random: Random): InboundMail => {
  const owners = [...new Set([random.pick(world.wallets), random.pick(world.wallets)])];
  const subject = `in${world.received.length}`;
  const sesId = `ses${world.received.length}`;
  const lines = ['From: Someone <someone@elsewhere.example>', `To: ${owners[0]}@${MAIL_DOMAIN}`, `Subject: ${subject}`];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\nMessage-ID: <${sesId}@elsewhere.example>\r\n\r\nHello.\r\n`);
  world.cloud.objects.set(`inbound/${sesId}`, bytes);
  return { sesId, subject, owners };
};

const notificationOf = (world: World, { sesId, owners }: InboundMail, isInfected: boolean): string => {
  const pass = { status: 'PASS' };
  return JSON.stringify({
    notificationType: 'Received',
    mail: { messageId: sesId, source: 'someone@elsewhere.example', timestamp: new Date(world.nowMs()).toISOString() },
    receipt: {
      recipients: owners.map((owner) => `${owner}@${MAIL_DOMAIN}`),
      spfVerdict: pass,
      dkimVerdict: pass,
      dmarcVerdict: pass,
      spamVerdict: pass,
      virusVerdict: isInfected ? { status: 'FAIL' } : pass,
      action: { objectKey: `inbound/${sesId}` },
    },
  });
};

/** A message from outside; its notification comes once or twice, at once or one after the other. */
const mailComesIn: Command = {
  name: 'mail comes in',
  weight: 6,
  choose: async (world, random) => {
    const mail = inboundOf(world, random);
    const promise = { subject: mail.subject, owners: mail.owners, isDone: false };
    world.received.push(promise);
    const body = notificationOf(world, mail, random.chance(0.2));
    const bodies = random.chance(0.4) ? [body, body] : [body];
    const label = `mail ${mail.subject} comes in for ${mail.owners.map((owner) => owner.slice(0, 6)).join(', ')}${bodies.length > 1 ? ', twice' : ''}`;
    return batchDeed(world, label, world.functions.onMailReceived, queueRecords(bodies), () => {
      promise.isDone = true;
    });
  },
};

/** Delivers what is new in the stream; what was delivered before comes again now and then. */
export const streamDeed = async (world: World, repeated: number): Promise<Deed | undefined> => {
  await world.stream.refresh(world.now);
  const batch = world.stream.take(world.now, repeated);
  if (batch.length === 0) return undefined;
  const numbered = batch.map((record) => ({ id: String(record.dynamodb?.['SequenceNumber']), record }));
  // A stream comes again from the first failure on, and not in part.
  let left = numbered;
  return {
    label: `stream delivers ${batch.length} records`,
    isRepeated: true,
    run: async () => {
      const { batchItemFailures } = await world.functions.onMailboxChange({ Records: left.map(({ record }) => record) });
      const first = batchItemFailures[0]?.itemIdentifier;
      left =
        first === undefined
          ? []
          : left.slice(
              Math.max(
                0,
                left.findIndex(({ id }) => id === first),
              ),
            );
      return left.length === 0 ? OVER : { is: 'again', afterSeconds: 1 };
    },
  };
};

const streamDelivers: Command = {
  name: 'stream delivers',
  weight: 4,
  choose: (world, random) => streamDeed(world, random.chance(0.5) ? random.below(20) : 0),
};

const queueDelivers: Command = {
  name: 'queue delivers',
  weight: 1,
  choose: async (world) => {
    const bodies = world.cloud.queued.filter(({ queue }) => queue === 'unfinished').map(({ body }) => body);
    return bodies.length === 0 ? undefined : batchDeed(world, 'marking goes on', world.functions.onMailUnfinished, queueRecords(bodies));
  },
};

/** Time to live deletes some of what has expired; the rest stays for days. */
const timeToLive: Command = {
  name: 'time to live',
  weight: 2,
  choose: async (world, random) => {
    const keys = (await expiredKeys(world)).filter(() => random.chance(0.5));
    for (const key of keys) await removeItem(world, key);
    if (keys.length > 0) world.note(`  time to live deletes ${keys.length} items`);
    return undefined;
  },
};

export const serviceCommands: readonly Command[] = [
  passTime,
  schedule('onStakesDue', 3),
  schedule('onOutboxDue', 4),
  schedule('onPaymentsDue', 2),
  schedule('onBondsDue', 2),
  report,
  mailComesIn,
  streamDelivers,
  queueDelivers,
  timeToLive,
];

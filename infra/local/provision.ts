// Makes the template's tables, queues, topics and buckets in the emulators. Run at each start: what is there stays.
import { callJson, EmulatorError } from './aws-json.ts';
import type { RunningFauxqs } from './fauxqs.ts';
import type { Assembly, LocalQueue, LocalTable } from './model.ts';

/** Makes what is missing and brings queue attributes up to the template. */
export async function provision(assembly: Assembly, tablesUrl: string, fauxqs: RunningFauxqs): Promise<void> {
  for (const bucket of assembly.buckets) fauxqs.server.createBucket(bucket.name);
  await Promise.all([
    ...assembly.queues.map((queue) => provisionQueue(queue, fauxqs)),
    ...assembly.tables.map((table) => provisionTable(table, tablesUrl)),
  ]);
  for (const topic of assembly.topics) {
    fauxqs.server.createTopic(topic.name);
    for (const subscription of topic.subscriptions) {
      // Mail and HTTPS subscriptions (alarms) have nowhere to go here.
      if (subscription.protocol !== 'sqs') continue;
      const queue = subscription.endpoint.split(':').at(-1) ?? '';
      fauxqs.server.subscribe({ topic: topic.name, queue, ...(subscription.raw ? { attributes: { RawMessageDelivery: 'true' } } : {}) });
    }
  }
}

async function provisionQueue(queue: LocalQueue, fauxqs: RunningFauxqs): Promise<void> {
  const existing = fauxqs.server.inspectQueue(queue.name);
  if (!existing) {
    fauxqs.server.createQueue(queue.name, { attributes: { ...queue.attributes } });
    return;
  }
  const { FifoQueue: _fixed, ...changeable } = queue.attributes;
  await callJson(fauxqs.url, 'sqs', 'SetQueueAttributes', { QueueUrl: existing.url, Attributes: changeable });
}

/** Time to live stays off in the emulator: it would delete by the machine's time, not by the moved clock. */
async function provisionTable(table: LocalTable, tablesUrl: string): Promise<void> {
  try {
    await callJson(tablesUrl, 'dynamodb', 'CreateTable', table.createInput);
  } catch (error) {
    if (!(error instanceof EmulatorError && error.code === 'ResourceInUseException')) throw error;
  }
}

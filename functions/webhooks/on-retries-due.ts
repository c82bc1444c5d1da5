// Every minute: queues the attempts whose wait no queue could carry, and those that were lost with the function that
// held them; switches webhooks off that failed for five days.
import { openDeliveries } from '#adapters/dynamo/delivery-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openWebhooks } from '#adapters/dynamo/webhook-store.ts';
import { openDeliveryQueue } from '#adapters/sqs/delivery-queue.ts';
import { sweepDeliveries } from '#domain/webhooks/sweep-deliveries.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig, required } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const retries = required('RETRIES_QUEUE_URL');
const ports = {
  webhooks: openWebhooks(table),
  deliveries: openDeliveries(table),
  queue: openDeliveryQueue({ deliveries: retries, retries }),
};

export const handler = scheduleHandler('deliveries queued again', (now, hasTime) => sweepDeliveries(ports, now, hasTime));

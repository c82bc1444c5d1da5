// The handler of both lanes of deliveries: groups a batch by endpoint and makes the attempts.
import { openDeliveries } from '#adapters/dynamo/delivery-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openWebhooks } from '#adapters/dynamo/webhook-store.ts';
import { openEndpoints } from '#adapters/https/endpoints.ts';
import { openSealer } from '#adapters/secrets/sealer.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { openDeliveryQueue } from '#adapters/sqs/delivery-queue.ts';
import type { DeliveryJob, Lane } from '#domain/ports/webhooks.ts';
import { deliverGroup } from '#domain/webhooks/deliver.ts';
import { parseDeliveryJob } from '#events/delivery-job.ts';
import { groupedQueueHandler } from '#events/grouped-queue-batch.ts';
import { systemClock } from '#runtime/clock.ts';
import { optional, readConfig, required } from '#runtime/config.ts';
import { allowsLoopback } from './loopback.ts';

const groupOf = (lane: Lane, jobs: readonly [DeliveryJob, ...DeliveryJob[]]) => {
  const [{ wallet, webhookId }] = jobs;
  return { wallet, webhookId, lane, jobs };
};

/** Opens a lane's function. */
export const deliveryHandler = (lane: Lane) => {
  const config = readConfig();
  const table = openTable(config.tableName);
  const ports = {
    webhooks: openWebhooks(table),
    deliveries: openDeliveries(table),
    queue: openDeliveryQueue({ deliveries: required('DELIVERIES_QUEUE_URL'), retries: required('RETRIES_QUEUE_URL') }),
    endpoints: openEndpoints({
      userAgent: `${config.serviceName} webhooks (+https://${config.mailDomain})`,
      allowsLoopback: allowsLoopback(config),
    }),
    sealer: openSealer(openSecret(optional('SEALING_SECRET'))),
    clock: systemClock,
  };
  return groupedQueueHandler(
    parseDeliveryJob,
    ({ wallet, webhookId }) => `${wallet} ${webhookId}`,
    async ([first, ...rest]) => (first ? deliverGroup(ports, groupOf(lane, [first, ...rest])) : []),
  );
};

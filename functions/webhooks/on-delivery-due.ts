// First attempts at endpoints in good standing.
import { deliveryHandler } from './deliver-batch.ts';

export const handler = deliveryHandler('deliveries');

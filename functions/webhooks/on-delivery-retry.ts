// All other attempts: repeated ones, and first ones at endpoints that were slow or failing the last time.
import { deliveryHandler } from './deliver-batch.ts';

export const handler = deliveryHandler('retries');

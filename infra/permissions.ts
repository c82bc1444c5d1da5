// What each function may do, in one table: the single place to read or change it. Whatever a function does not need
// for its own work is not here, so that a hole in one area does not open the others.

export type TableAction = 'GetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** Without `list`, S3 answers "denied" for an object that is missing: who reads what may be gone needs both. */
export type ObjectAction = 'get' | 'put' | 'delete' | 'list';
export type ObjectPrefix = 'mail/' | 'inbound/' | 'uploads/';

/** Names end the secret's name: `agent-email/<stage>/signing`. */
export type SecretName = 'signing' | 'sealing' | 'chain' | 'mpp' | 'world-id';
export type SesAction = 'SendRawEmail' | 'SendEmail' | 'SendBounce';
export type QueueName = 'inbound' | 'ses-events' | 'deliveries' | 'retries' | 'unfinished';

export interface FunctionPermissions {
  readonly table: readonly TableAction[];
  /** Confines all of that to partitions whose key begins with one of these letters and `#`, here and in the due index. */
  readonly partitions?: readonly ('V' | 'delivery' | 'webhook')[];
  readonly bucket?: readonly { readonly prefix: ObjectPrefix; readonly actions: readonly ObjectAction[] }[];
  readonly secrets?: readonly SecretName[];
  readonly ses?: readonly SesAction[];
  /** Queues it may send to; what it consumes stands in event-sources.ts. */
  readonly queues?: readonly QueueName[];
  /** Gets the evm-runtime layer on its module path. */
  readonly layer?: boolean;
}

const READ_WRITE: readonly TableAction[] = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

const DELIVERING: FunctionPermissions = {
  table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  partitions: ['V'],
  secrets: ['sealing'],
  queues: ['deliveries', 'retries'],
};

/** Every function that takes a Bearer checks tokens with `signing`; stored replies that hold a secret need `sealing`. */
export const PERMISSIONS: Readonly<Record<string, FunctionPermissions>> = {
  'auth-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'chain'], layer: true },
  'registration-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'chain', 'mpp'], layer: true },
  'identity-http': { table: READ_WRITE, secrets: ['signing', 'sealing'] },
  'mailbox-http': {
    table: READ_WRITE,
    bucket: [{ prefix: 'mail/', actions: ['get', 'delete', 'list'] }],
    secrets: ['signing', 'sealing'],
    queues: ['unfinished'],
  },
  'sending-http': {
    table: READ_WRITE,
    bucket: [
      { prefix: 'mail/', actions: ['get', 'put', 'list'] },
      { prefix: 'uploads/', actions: ['get', 'put', 'delete', 'list'] },
    ],
    secrets: ['signing', 'sealing', 'chain', 'mpp'],
    ses: ['SendRawEmail', 'SendEmail'],
    layer: true,
  },
  'payments-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'chain'], layer: true },
  'attention-http': { table: READ_WRITE, secrets: ['signing', 'sealing'] },
  'attn-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'chain'], layer: true },
  'airdrop-http': { table: READ_WRITE, secrets: ['signing', 'sealing'] },
  'webhooks-http': { table: READ_WRITE, secrets: ['signing', 'sealing'], queues: ['deliveries', 'retries'] },
  'aliases-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'chain'], layer: true },
  'settings-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'chain'], layer: true },
  'world-id-http': { table: READ_WRITE, secrets: ['signing', 'sealing', 'world-id'], layer: true },
  // It describes the service to anyone, and needs nothing of it.
  'discovery-http': { table: [] },

  'on-mail-received': {
    table: READ_WRITE,
    bucket: [
      { prefix: 'inbound/', actions: ['get', 'list'] },
      { prefix: 'mail/', actions: ['put'] },
    ],
    ses: ['SendBounce', 'SendRawEmail'],
  },
  'on-names-due': { table: ['GetItem', 'PutItem', 'DeleteItem'], secrets: ['chain'], layer: true },
  'on-purchases-due': { table: READ_WRITE, secrets: ['chain'], layer: true },
  'on-ses-event': { table: READ_WRITE },
  'on-mailbox-change': {
    table: ['Query', 'PutItem', 'UpdateItem'],
    bucket: [{ prefix: 'mail/', actions: ['delete'] }],
    queues: ['deliveries', 'retries'],
  },
  'on-mail-unfinished': { table: READ_WRITE, queues: ['unfinished'] },
  // They call addresses that strangers chose: whatever gets hold of one reads no mail and no account.
  'on-delivery-due': DELIVERING,
  'on-delivery-retry': DELIVERING,
  'on-retries-due': { table: ['Query', 'UpdateItem'], partitions: ['V', 'delivery', 'webhook'], queues: ['retries'] },
  'on-bonds-due': { table: READ_WRITE },
  'on-bonds-imported': { table: READ_WRITE },
  'on-stakes-due': { table: READ_WRITE },
  'on-sender-resumed': { table: ['GetItem', 'UpdateItem'] },
  'on-outbox-due': { table: READ_WRITE },
  'on-payments-due': { table: READ_WRITE, secrets: ['chain'], layer: true },
  'on-journal-due': { table: ['GetItem'], bucket: [{ prefix: 'inbound/', actions: ['get', 'list'] }], queues: ['inbound'] },
  'on-digest-due': { table: READ_WRITE, ses: ['SendRawEmail'] },
};

/**
 * Looks a function up.
 * @throws when it has no row: a new function must say what it may do.
 */
export function permissionsOf(name: string): FunctionPermissions {
  const row = PERMISSIONS[name];
  if (!row) throw new Error(`${name} has no row in infra/permissions.ts: say what it may do`);
  return row;
}

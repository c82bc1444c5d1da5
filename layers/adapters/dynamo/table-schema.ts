// Names of the table's attributes and indexes, read by the stores and by the infrastructure. Imports nothing.

export const TABLE_SCHEMA = {
  partitionKey: 'PK',
  sortKey: 'SK',
  /** Unix seconds; DynamoDB removes the item some time later, so every reader compares the time itself. */
  timeToLive: 'ttl',
  /** Local indexes, strongly consistent; they cannot be added to a table that exists. */
  localIndexes: {
    /** `<folder><band><id>`: staked first, newest next, in one descending query. */
    order: 'ord',
    /** Sparse: `<folder><id>` while a mail is unread. */
    unread: 'unr',
    /** Sparse: `<deadline>#<id>` while a mail carries an active USDC bond. */
    bonded: 'bnd',
  },
  /** Sparse global index over everything that has a time to be looked at again: stakes, bonds, outbox, retries. */
  dueIndex: { name: 'due', partitionKey: 'dueS', sortKey: 'dueA' },
} as const;

/** The due index is spread over this many partitions per kind, so that one busy minute does not heat one partition. */
export const DUE_SHARDS = 4;

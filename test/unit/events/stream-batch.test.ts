// Batches of table changes: all at once, and taken apart where that fails.
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, it } from 'vitest';
import { streamHandler } from '#events/stream-batch.ts';

const record = (name: string): DynamoDBRecord => ({ eventID: name, dynamodb: { SequenceNumber: `sequence-${name}` } });
const event = { Records: ['a', 'b', 'c', 'd'].map(record) };

/** What the handler is given in turn, and what it reports, when it fails over one change. */
const run = async (poison?: string) => {
  const batches: string[] = [];
  const handler = streamHandler(async (records) => {
    const names = records.map(({ eventID }) => eventID ?? '').join('');
    batches.push(names);
    if (poison !== undefined && names.includes(poison)) throw new Error('poison');
  });
  return { batches, ...(await handler(event)) };
};

it('default: is handled in one go', async () => {
  expect(await run()).toEqual({ batches: ['abcd'], batchItemFailures: [] });
});

it('behavior: a change that fails comes again with all that follow it, and nothing before it', async () => {
  expect(await run('c')).toEqual({ batches: ['abcd', 'a', 'b', 'c'], batchItemFailures: [{ itemIdentifier: 'sequence-c' }] });
});

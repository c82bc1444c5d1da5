// A mailbox that has reached DynamoDB's 10 GB: what the operator gets to know.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import type { Table } from '#adapters/dynamo/table.ts';
import { transact, type Write } from '#adapters/dynamo/transact.ts';
import { fail } from '#domain/errors.ts';

const tableThatCancels = (...codes: readonly string[]): Table => {
  const send = () =>
    Promise.reject(
      new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: { httpStatusCode: 400 },
        CancellationReasons: codes.map((Code) => ({ Code })),
      }),
    );
  return { name: 'table', client: { send } as unknown as Table['client'] };
};

const put = (partition: string): Write => ({
  action: { Put: { TableName: 'table', Item: { PK: partition, SK: 'mail' } } },
  refused: () => fail('try_again'),
});

const linesWrittenBy = async (work: Promise<unknown>): Promise<readonly string[]> => {
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await work;
  return output.mock.calls.map(([line]) => String(line));
};

afterEach(() => vi.restoreAllMocks());

it('a full partition is counted, and the error names it', async () => {
  const work = transact(tableThatCancels('None', 'ItemCollectionSizeLimitExceeded'), [put('A#0x1'), put('M#0x2')]);
  const lines = await linesWrittenBy(expect(work).rejects.toThrow('the partition M#0x2 is full'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ partition_full: 1, stage: expect.any(String) }]);
});

it('another cancellation is not', async () => {
  const work = transact(tableThatCancels('ValidationError'), [put('M#0x2')]);
  expect(await linesWrittenBy(expect(work).rejects.toThrow('could not be committed'))).toEqual([]);
});

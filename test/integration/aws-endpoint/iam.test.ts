// The endpoint allows what a role grants and nothing else, in the words of each service.
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetQueueUrlCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allow, BUCKET, BUCKET_ARN, deny, type Harness, QUEUE, QUEUE_ARN, startHarness, TABLE, TABLE_ARN, TOPIC_ARN } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const item = (pk: string, sk: string) => ({ PK: { S: pk }, SK: { S: sk } });
const put = (pk: string, sk: string) => new PutItemCommand({ TableName: TABLE, Item: item(pk, sk) });
const refused = (message: RegExp) => ({
  $metadata: expect.objectContaining({ httpStatusCode: 403 }),
  message: expect.stringMatching(message),
});

describe('callers', () => {
  test('a key of no environment is refused, for DynamoDB and S3 alike', async () => {
    const settings = { ...harness.role('known'), credentials: { accessKeyId: 'stranger.1', secretAccessKey: 'x' } };
    await expect(new DynamoDBClient(settings).send(put('a', 'b'))).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(new S3Client(settings).send(new GetObjectCommand({ Bucket: BUCKET, Key: 'k' }))).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
  });

  test('a request that nobody signed is refused', async () => {
    const reply = await fetch(harness.endpoint.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem' },
      body: '{}',
    });
    expect(reply.status).toBe(403);
  });
});

describe('DynamoDB', () => {
  test('a role without PutItem gets AccessDeniedException naming user, action and table', async () => {
    const client = new DynamoDBClient(harness.role('reader', allow('dynamodb:GetItem', TABLE_ARN)));
    await client.send(new GetItemCommand({ TableName: TABLE, Key: item('a', 'b') }));
    await expect(client.send(put('a', 'b'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      ...refused(
        /^User: arn:aws:sts::0+:assumed-role\/reader-role\/reader is not authorized to perform: dynamodb:PutItem on resource: .*mail-table/,
      ),
    });
  });

  test('a transaction needs the action of each of its parts', async () => {
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName: TABLE, Item: item('t', '1') } },
        { ConditionCheck: { TableName: TABLE, Key: item('t', '2'), ConditionExpression: 'attribute_not_exists(PK)' } },
      ],
    });
    const partly = new DynamoDBClient(harness.role('partly', allow('dynamodb:PutItem', TABLE_ARN)));
    await expect(partly.send(transaction)).rejects.toMatchObject(refused(/dynamodb:ConditionCheckItem/));
    const fully = new DynamoDBClient(harness.role('fully', allow(['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'], TABLE_ARN)));
    await fully.send(transaction);
  });

  test('a query on an index needs the ARN of the index', async () => {
    const query = new QueryCommand({
      TableName: TABLE,
      IndexName: 'due',
      KeyConditionExpression: 'dueS = :s',
      ExpressionAttributeValues: { ':s': { S: 'x' } },
    });
    const tableOnly = new DynamoDBClient(harness.role('table-only', allow('dynamodb:Query', TABLE_ARN)));
    await expect(tableOnly.send(query)).rejects.toMatchObject(refused(/index\/due/));
    const withIndex = new DynamoDBClient(harness.role('with-index', allow('dynamodb:Query', [TABLE_ARN, `${TABLE_ARN}/index/*`])));
    expect((await withIndex.send(query)).Count).toBe(0);
  });

  test('a Deny wins over a wildcard Allow', async () => {
    const client = new DynamoDBClient(harness.role('denied', allow('dynamodb:*'), deny('dynamodb:Put*')));
    await expect(client.send(put('a', 'b'))).rejects.toMatchObject(refused(/explicit deny/));
  });

  test('LeadingKeys hold a role to its partitions, in items, batches and queries', async () => {
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['H#*'] } };
    const client = new DynamoDBClient(
      harness.role('handles', allow(['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:BatchGetItem'], TABLE_ARN, condition)),
    );
    const query = (pk: string) =>
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: '#p = :p AND begins_with(SK, :s)',
        ExpressionAttributeNames: { '#p': 'PK' },
        ExpressionAttributeValues: { ':p': { S: pk }, ':s': { S: 'a' } },
      });
    const batch = (...pks: string[]) => new BatchGetItemCommand({ RequestItems: { [TABLE]: { Keys: pks.map((pk) => item(pk, '1')) } } });
    await client.send(put('H#ann', '1'));
    await client.send(query('H#ann'));
    await client.send(batch('H#ann', 'H#bob'));
    await expect(client.send(put('A#ann', '1'))).rejects.toMatchObject(refused(/dynamodb:PutItem/));
    await expect(client.send(query('A#ann'))).rejects.toMatchObject(refused(/dynamodb:Query/));
    await expect(client.send(batch('H#ann', 'A#bob'))).rejects.toMatchObject(refused(/dynamodb:BatchGetItem/));
  });

  test('a condition on a key that is not understood never matches', async () => {
    const client = new DynamoDBClient(
      harness.role('odd', allow('dynamodb:PutItem', TABLE_ARN, { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } })),
    );
    await expect(client.send(put('a', 'b'))).rejects.toMatchObject(refused(/dynamodb:PutItem/));
  });
});

describe('S3', () => {
  test('puts are held to their prefix, and copies need the source as well', async () => {
    const client = new S3Client(
      harness.role('writer', allow('s3:PutObject', `${BUCKET_ARN}/mail/*`), allow('s3:GetObject', `${BUCKET_ARN}/mail/*`)),
    );
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'mail/a', Body: 'x' }));
    await expect(client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'other/a', Body: 'x' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      ...refused(/s3:PutObject/),
    });
    await client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: 'mail/b', CopySource: `${BUCKET}/mail/a` }));
    await expect(
      client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: 'mail/c', CopySource: `${BUCKET}/other/a` })),
    ).rejects.toMatchObject(refused(/s3:GetObject/));
  });

  test('a batch of deletes is refused for the one key it may not delete', async () => {
    const client = new S3Client(harness.role('sweeper', allow('s3:DeleteObject', `${BUCKET_ARN}/tmp/*`)));
    const remove = (...keys: string[]) =>
      client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects: keys.map((Key) => ({ Key })) } }));
    await remove('tmp/1', 'tmp/a&b');
    await expect(remove('tmp/1', 'mail/a')).rejects.toMatchObject(refused(/mail\/a/));
  });

  test('a missing key is 404 for those who may list the bucket and 403 for the rest', async () => {
    const get = new GetObjectCommand({ Bucket: BUCKET, Key: 'missing' });
    const blind = new S3Client(harness.role('blind', allow('s3:GetObject', `${BUCKET_ARN}/*`)));
    await expect(blind.send(get)).rejects.toMatchObject({ name: 'AccessDenied' });
    const seeing = new S3Client(harness.role('seeing', allow('s3:GetObject', `${BUCKET_ARN}/*`), allow('s3:ListBucket', BUCKET_ARN)));
    await expect(seeing.send(get)).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect((await seeing.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'none/' }))).KeyCount).toBe(0);
  });
});

describe('SQS', () => {
  test('single and batch sends need sqs:SendMessage on the queue, whose URL leads through the endpoint', async () => {
    const client = new SQSClient(harness.role('enqueuer', allow(['sqs:SendMessage', 'sqs:GetQueueUrl'], QUEUE_ARN)));
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: QUEUE }));
    expect(QueueUrl).toBe(`${harness.endpoint.url}/000000000000/${QUEUE}`);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    const sent = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', MessageBody: 'two' }] }));
    expect(sent.Successful).toHaveLength(1);
    const other = new SQSClient(harness.role('outsider', allow('sqs:SendMessage', `${QUEUE_ARN}-other`)));
    await expect(other.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      ...refused(/sqs:SendMessage/),
    });
  });
});

describe('SNS and CloudWatch', () => {
  const post = (accessKeyId: string, service: string, form: Record<string, string>) =>
    fetch(harness.endpoint.url, {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/${service}/aws4_request, Signature=0`,
      },
      body: new URLSearchParams(form),
    });

  test('publishing needs sns:Publish on the topic', async () => {
    const form = { Action: 'Publish', Version: '2010-03-31', TopicArn: TOPIC_ARN, Message: 'hello' };
    harness.role('publisher', allow('sns:Publish', TOPIC_ARN));
    harness.role('silent');
    expect(await (await post('publisher.1', 'sns', form)).text()).toContain('<MessageId>');
    const refusedReply = await post('silent.1', 'sns', form);
    expect([refusedReply.status, await refusedReply.text()]).toStrictEqual([
      403,
      expect.stringContaining('<Code>AuthorizationError</Code>'),
    ]);
  });

  test('metrics are taken under the namespace that the role may write', async () => {
    const form = (Namespace: string) => ({ Action: 'PutMetricData', Version: '2010-08-01', Namespace });
    harness.role('metrics', allow('cloudwatch:PutMetricData', '*', { StringEquals: { 'cloudwatch:namespace': 'mail' } }));
    expect((await post('metrics.1', 'monitoring', form('mail'))).status).toBe(200);
    expect((await post('metrics.1', 'monitoring', form('other'))).status).toBe(403);
  });
});

// The journal: every mail as the receiving side stored it, under the provider's id of the delivery.
import { randomInt } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { Journal, JournalEntry } from '#domain/ports/mail.ts';
import { type Bucket, readObject } from './mail-objects.ts';

const PREFIX = 'inbound/';
const HEAD_BYTES = 262_144;
/** Ids of SES begin with one of these. */
const ID_BEGINNINGS = '0123456789abcdefghijklmnopqrstuvwxyz';

const listPage = async (bucket: Bucket, after: string | undefined): Promise<JournalEntry[]> => {
  const page = await bucket.client.send(
    new ListObjectsV2Command({ Bucket: bucket.name, Prefix: PREFIX, ...(after !== undefined && { StartAfter: after }) }),
  );
  return (page.Contents ?? []).map(({ Key = '', LastModified }) => ({
    key: Key,
    sesId: Key.slice(PREFIX.length),
    storedAt: Math.floor((LastModified?.getTime() ?? 0) / 1000),
  }));
};

async function* walk(bucket: Bucket, from: string, until: string | undefined): AsyncIterable<readonly JournalEntry[]> {
  let after: string | undefined = from;
  while (after !== undefined) {
    const all: JournalEntry[] = await listPage(bucket, after);
    const page = all.filter(({ key }) => until === undefined || key <= until);
    if (page.length > 0) yield page;
    after = page.length < all.length ? undefined : all.at(-1)?.key;
  }
}

/** The whole journal once, from a random place round to it again. */
async function* pages(bucket: Bucket): AsyncIterable<readonly JournalEntry[]> {
  const start = `${PREFIX}${ID_BEGINNINGS.charAt(randomInt(ID_BEGINNINGS.length))}`;
  yield* walk(bucket, start, undefined);
  yield* walk(bucket, PREFIX, start);
}

export const openJournal = (bucket: Bucket): Journal => ({
  pages: () => pages(bucket),
  head: (entry) => readObject(bucket, entry.key, HEAD_BYTES),
});

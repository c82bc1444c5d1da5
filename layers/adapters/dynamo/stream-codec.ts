// Stream records ⇄ what happened in the service's own words.
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Account } from '#domain/identity/account.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import { readAccount } from './account-codec.ts';
import { readMail } from './mail-codec.ts';
import type { Item } from './table.ts';

export type TableChange =
  | { readonly kind: 'account.created'; readonly account: Account }
  | { readonly kind: 'mail.stored'; readonly row: MailRow }
  | { readonly kind: 'mail.removed'; readonly row: MailRow };

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

const itemOf = (image: Image): Item | undefined => image && unmarshall(image as Record<string, AttributeValue>);

const readInserted = (item: Item): TableChange | undefined => {
  if (item['type'] === 'account') return { kind: 'account.created', account: readAccount(item) };
  return item['type'] === 'mail' ? { kind: 'mail.stored', row: readMail(item) } : undefined;
};

/** What a record says; undefined for everything that nobody follows. */
export const readChange = (record: DynamoDBRecord): TableChange | undefined => {
  const after = itemOf(record.dynamodb?.NewImage);
  const before = itemOf(record.dynamodb?.OldImage);
  if (record.eventName === 'INSERT' && after) return readInserted(after);
  if (record.eventName === 'REMOVE' && before?.['type'] === 'mail') return { kind: 'mail.removed', row: readMail(before) };
  return undefined;
};

// Legacy bonds: both sides and the message tell the same, and what has ended stays as it is.
import { groupBy, type Invariant } from './invariant.ts';

const bothSidesAgree: Invariant = ({ bonds }) =>
  [...groupBy(bonds, ({ emailId, recipient }) => `${recipient} ${emailId}`)].flatMap(([key, [one, other, ...more]]) => {
    const isSame =
      one &&
      other &&
      more.length === 0 &&
      one.status === other.status &&
      one.endedAt === other.endedAt &&
      one.amountMicros === other.amountMicros;
    return isSame ? [] : [`the bond ${key} differs between its sides`];
  });

const endsHaveTheirTime: Invariant = ({ bonds }) =>
  bonds
    .filter(({ status, endedAt }) => (status === 'active') !== (endedAt === undefined))
    .map(({ emailId, status }) => `the bond on ${emailId} is ${status} with the wrong end`);

const messagesShowTheirBonds: Invariant = ({ bonds, mails }) =>
  mails.flatMap(({ owner, id, folder, bond }) => {
    const found = bonds.find(({ recipient, emailId }) => recipient === owner && emailId === id);
    return folder !== 'inbox' || bond?.status === found?.status
      ? []
      : [`${id} shows a bond that is ${bond?.status}, it is ${found?.status}`];
  });

export const bondInvariants: readonly Invariant[] = [bothSidesAgree, endsHaveTheirTime, messagesShowTheirBonds];

/** By the stream: no write ever met a bond that had ended. */
export const bondsEndOnce: Invariant = (_snapshot, { stream }) =>
  stream.records.flatMap(({ eventName, dynamodb }) => {
    const image = dynamodb?.['OldImage'] as Readonly<Record<string, { readonly S?: string }>> | undefined;
    const hasEnded = image?.['type']?.S === 'bond' && image['bS']?.S !== 'active';
    return hasEnded ? [`the bond ${image['SK']?.S ?? ''} was changed after its end (${eventName ?? ''})`] : [];
  });

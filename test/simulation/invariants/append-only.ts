// Ledger rows are only ever added: the stream shows every write, so nothing can change one and put it back unseen.
import type { Invariant } from './invariant.ts';

export const rowsAreOnlyAdded: Invariant = (_snapshot, { stream }) =>
  stream.records.flatMap(({ eventName, dynamodb }) => {
    const image = dynamodb?.['OldImage'] as Readonly<Record<string, { readonly S?: string }>> | undefined;
    return image?.['type']?.S === 'ledger' ? [`ledger row ${image['SK']?.S ?? ''} was changed (${eventName ?? ''})`] : [];
  });

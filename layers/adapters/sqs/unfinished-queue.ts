// Marking that goes on in the background, as queue messages.
import type { UnfinishedMarking, UnfinishedQueue } from '#domain/ports/mail.ts';
import { openQueue } from './queue.ts';

export const openUnfinishedQueue = (url: string): UnfinishedQueue => {
  const queue = openQueue(url);
  return { put: (marking) => queue.put(JSON.stringify(marking)) };
};

/** @throws when the text is no marking: the queue is ours alone, so anything else is a fault. */
export const readMarking = (body: string): UnfinishedMarking => {
  const marking = JSON.parse(body) as UnfinishedMarking;
  if (marking.kind === 'folder' || marking.kind === 'ids') return marking;
  throw new Error('a message that is no marking');
};

// A mark-read request: what fits its time is marked at once, the rest is handed to the background before it answers.
import type { UnfinishedQueue } from '../ports/mail.ts';
import { markFolderRead, markIdsRead, type Marking, type MarkReadPorts } from './mark-read.ts';

export type MarkingWish = { readonly ids: readonly string[] } | { readonly folder: 'inbox' | 'sent'; readonly upTo: string };

/** @returns whether everything was marked; what was not is on its way by then. */
export const markOrQueue = async (
  ports: MarkReadPorts & { readonly unfinished: UnfinishedQueue },
  marking: Marking,
  wish: MarkingWish,
): Promise<boolean> => {
  const { wallet } = marking.owner;
  if ('ids' in wish) {
    const left = await markIdsRead(ports, marking, wish.ids);
    if (left.length > 0) await ports.unfinished.put({ kind: 'ids', wallet, ids: left });
    return left.length === 0;
  }
  const isDone = await markFolderRead(ports, marking, wish.folder, wish.upTo);
  if (!isDone) await ports.unfinished.put({ kind: 'folder', wallet, folder: wish.folder, upTo: wish.upTo });
  return isDone;
};

import { nameInSentence } from '../name-in-sentence';
import { notifications } from '@mantine/notifications';
import type { ItemMetadata } from '@gantry/contracts';
import { may } from '../../common/may';
import { notifyUndoable } from './notify-undoable';
import { requestUndo, type DoneItem } from './undo-store';

/** More are too many to revert from a page; each can still be restored, from its history or the deleted items. */
export const maxUndoable = 10_000;

export interface BulkOutcome {
  readonly metadata: ItemMetadata;
  readonly action: 'delete' | 'set';
  /** Of the items that it was done to. */
  readonly count: number;
  /** The same items; without those that were gone already, and of very many not all. */
  readonly done: readonly DoneItem[];
}

/** Says what an action on many items has done, with the way back for who may write it. */
export function notifyDone({ metadata, action, count, done }: BulkOutcome): void {
  if (count === 0) return;
  const items = nameInSentence(count === 1 ? metadata.displayName : metadata.displayNamePlural);
  const message = `${action === 'delete' ? 'Deleted' : 'Changed'} ${count.toLocaleString()} ${items}`;
  const mayUndo = may(metadata, action === 'delete' ? 'create' : 'update');
  if (!mayUndo || done.length === 0 || done.length > maxUndoable) notifications.show({ message, color: 'green' });
  else notifyUndoable(message, () => requestUndo({ metadata, done }));
}

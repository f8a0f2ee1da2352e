import type { ItemMetadata } from '@gantry/contracts';
import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Item, ListFilter } from '../../../api/items';
import type { Selection } from '../selection/use-selection';
import type { BulkAct } from './bulk-actions';
import { BulkProgress } from './bulk-progress';
import { DeleteQuestion } from './bulk-question';
import { createBulkRun, type BulkRun, type BulkState } from './bulk-run';
import { itemSource } from './item-source';
import { SetQuestion } from './set-question';
import { useBulkCount } from './use-bulk-count';
import { nameInSentence } from '../../name-in-sentence';
import { Dialog } from '../../../ui/dialog';
import { maxUndoable, notifyDone } from '../../undo/notify-done';
import type { DoneItem } from '../../undo/undo-store';

export type BulkAction = 'delete' | 'set';

export interface BulkDialogProps {
  readonly metadata: ItemMetadata;
  /** Closed without one. */
  readonly action: BulkAction | undefined;
  readonly selection: Selection;
  readonly filter: ListFilter;
  onClose(): void;
  /** An item was changed (its newest version) or is gone. */
  onDone(item: Item, gone: boolean): void;
  /** Every item was processed, and none failed. */
  onFinished(): void;
}

/** Asks, runs an action on many items, and shows what came of it. */
export function BulkDialog(props: BulkDialogProps) {
  const [busy, setBusy] = useState(false);
  const { action, metadata, onClose } = props;
  return (
    <Dialog
      opened={action !== undefined}
      onClose={onClose}
      // A run is ended by its own button, which finishes what is under way.
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      withCloseButton={!busy}
      size="lg"
      title={`${action === 'delete' ? 'Delete' : 'Edit'} ${nameInSentence(metadata.displayNamePlural)}`}
    >
      {action === undefined ? null : <Bulk {...props} action={action} onBusy={setBusy} />}
    </Dialog>
  );
}

interface BulkProps extends BulkDialogProps {
  readonly action: BulkAction;
  onBusy(busy: boolean): void;
}

function Bulk({ metadata, action, selection, filter, onClose, onDone, onFinished, onBusy }: BulkProps) {
  const client = useQueryClient();
  // The selection shrinks while items are deleted; the run is about what was confirmed.
  const [subject] = useState(selection);
  const count = useBulkCount(metadata.code, subject, filter);
  const [state, setState] = useState<BulkState>();
  const [total, setTotal] = useState(0);
  const run = useRef<BulkRun>(undefined);
  const done = useRef<DoneItem[]>([]);
  const [confirmed] = useState(() => new Map<string, string>());
  const running = state?.running === true;
  useLeaveGuard(running, run);
  const resume = async (): Promise<void> => {
    onBusy(true);
    await run.current?.resume();
    onBusy(false);
    // Rows, totals and labels elsewhere: whatever shows these items is out of date now.
    void client.invalidateQueries({ queryKey: confirmed.size > 0 ? ['items'] : ['items', metadata.code] });
  };
  const start = (act: BulkAct): void => {
    setTotal(count.value ?? 0);
    run.current = createBulkRun({
      source: itemSource(metadata.code, subject, filter),
      onState: setState,
      act: async (item, again) => {
        const { before, after } = await act(item, again);
        if (before !== undefined && done.current.length <= maxUndoable) done.current.push({ before, after });
        onDone(after ?? item, after === undefined);
      },
    });
    void resume();
  };
  const close = (): void => {
    notifyDone({ metadata, action, count: state?.done ?? 0, done: done.current });
    if (state?.failures.length === 0 && state.stop === undefined) onFinished();
    onClose();
  };
  const Question = action === 'delete' ? DeleteQuestion : SetQuestion;
  return (
    <>
      {/* Choices stay there, for a value that the platform refuses. */}
      <div hidden={state !== undefined}>
        <Question
          metadata={metadata}
          selection={subject}
          filter={filter}
          count={count}
          confirmed={confirmed}
          onStart={start}
          onClose={onClose}
        />
      </div>
      {state === undefined ? null : (
        <BulkProgress
          metadata={metadata}
          state={state}
          total={total}
          participle={action === 'delete' ? 'deleted' : 'changed'}
          onCancel={() => run.current?.cancel()}
          onResume={() => void resume()}
          onConfirm={(confirmations) => {
            for (const [id, confirm] of confirmations) confirmed.set(id, confirm);
            void resume();
          }}
          onBack={() => setState(undefined)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Asks before a tab with a running action is closed; leaving the page by other ways ends the action. */
function useLeaveGuard(running: boolean, run: { readonly current: BulkRun | undefined }): void {
  useWindowEvent('beforeunload', (event) => (running ? event.preventDefault() : undefined));
  useEffect(() => () => run.current?.cancel(), [run]);
}

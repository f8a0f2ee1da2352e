import { nameInSentence } from '../name-in-sentence';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { BulkProgress } from '../list/bulk/bulk-progress';
import { createBulkRun, type BulkRun, type BulkState } from '../list/bulk/bulk-run';
import { revert } from './revert';
import { requestUndo, type BulkUndo } from './undo-store';

export interface UndoDialogProps {
  /** Changes to revert; closed without. */
  readonly requested: BulkUndo | undefined;
}

/** Reverts an action on many items, and shows the result of each that could not be reverted. */
export function UndoDialog({ requested }: UndoDialogProps) {
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(requested);
  if (requested !== undefined && requested !== shown) setShown(requested);
  const close = (): void => requestUndo(undefined);
  return (
    <Dialog
      opened={requested !== undefined}
      onClose={close}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      withCloseButton={!busy}
      size="lg"
      title={shown === undefined ? '' : `Undo: restore ${nameInSentence(shown.metadata.displayNamePlural)}`}
    >
      {shown === undefined || requested === undefined ? null : <Run undo={shown} onBusy={setBusy} onClose={close} />}
    </Dialog>
  );
}

interface RunProps {
  readonly undo: BulkUndo;
  onBusy(busy: boolean): void;
  onClose(): void;
}

const begun: BulkState = { done: 0, failures: [], running: true, stop: undefined };

function Run({ undo: { metadata, done }, onBusy, onClose }: RunProps) {
  const client = useQueryClient();
  const [state, setState] = useState<BulkState>(begun);
  const run = useRef<BulkRun>(undefined);
  const resume = async (): Promise<void> => {
    onBusy(true);
    await run.current?.resume();
    onBusy(false);
    void client.invalidateQueries({ queryKey: ['items'] });
  };
  useEffect(() => {
    const byId = new Map(done.map((one) => [one.before.id, one]));
    const waiting = done.map(({ before }) => before);
    const created = createBulkRun({
      source: { next: () => Promise.resolve(waiting.shift()) },
      onState: setState,
      async act(item) {
        const one = byId.get(item.id);
        if (one !== undefined) await revert(metadata.code, one);
      },
    });
    run.current = created;
    void resume();
    return () => created.cancel();
    // Once for each request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [metadata, done]);
  return (
    <BulkProgress
      metadata={metadata}
      state={state}
      total={done.length}
      participle="restored"
      onCancel={() => run.current?.cancel()}
      onResume={() => void resume()}
      onBack={onClose}
      onClose={onClose}
    />
  );
}

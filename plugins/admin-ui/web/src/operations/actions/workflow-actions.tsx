import { Button, Text } from '@mantine/core';
import type { WorkflowDetail } from '@gantry/contracts';
import { useState } from 'react';
import { endWorkflow, type Asked } from '../api/workflows';
import type { HistoryEvent } from '../api/history-event';
import { Dialog } from '../../ui/dialog';
import { ResetIcon, SignalIcon, SkipIcon, StopIcon } from '../ui/operation-icons';
import { AskedForm } from './asked-form';
import { ResetDialog } from './reset-dialog';
import { SignalDialog } from './signal-dialog';
import { useAction } from './use-action';

export interface WorkflowActionsProps {
  /** The newest run. */
  readonly workflow: WorkflowDetail;
  readonly events: readonly HistoryEvent[];
}

type Ending = 'cancel' | 'terminate';

const texts = {
  cancel: {
    button: 'Cancel …',
    title: 'Cancel the workflow?',
    explained: 'It is asked to end in its own way, and may still tidy up: an order that was paid is paid back.',
    confirm: 'Cancel the workflow',
    done: 'The workflow was asked to end',
    colour: 'red',
  },
  terminate: {
    button: 'Terminate …',
    title: 'Terminate the workflow?',
    explained: 'It ends at once, without tidying up: nothing is paid back and nobody is notified.',
    confirm: 'Terminate the workflow',
    done: 'The workflow was terminated',
    colour: 'red',
  },
} as const;

/** What can be done to a workflow as it is now. */
export function WorkflowActions({ workflow, events }: WorkflowActionsProps) {
  const [open, setOpen] = useState<Ending | 'signal' | 'reset'>();
  const running = workflow.status === 'RUNNING';
  return (
    <>
      {running ? (
        <>
          <Button variant="default" leftSection={<SignalIcon size={16} />} onClick={() => setOpen('signal')}>
            Signal …
          </Button>
          <Button variant="default" leftSection={<SkipIcon size={16} />} onClick={() => setOpen('cancel')}>
            {texts.cancel.button}
          </Button>
          <Button variant="light" color="red" leftSection={<StopIcon size={16} />} onClick={() => setOpen('terminate')}>
            {texts.terminate.button}
          </Button>
        </>
      ) : (
        <Button variant="default" leftSection={<ResetIcon size={16} />} onClick={() => setOpen('reset')}>
          Reset …
        </Button>
      )}
      <SignalDialog workflow={workflow} opened={open === 'signal'} onClose={() => setOpen(undefined)} />
      {(['cancel', 'terminate'] as const).map((action) => (
        <EndDialog
          key={action}
          action={action}
          workflow={workflow}
          opened={open === action}
          onClose={() => setOpen(undefined)}
        />
      ))}
      <ResetDialog workflow={workflow} events={events} opened={open === 'reset'} onClose={() => setOpen(undefined)} />
    </>
  );
}

interface EndDialogProps {
  readonly action: Ending;
  readonly workflow: WorkflowDetail;
  readonly opened: boolean;
  onClose(): void;
}

/** What is typed outlives the dialog until the action has succeeded. */
function EndDialog({ action, workflow, opened, onClose }: EndDialogProps) {
  const { title, explained, confirm, done, colour } = texts[action];
  const [reason, setReason] = useState('');
  const call = useAction({
    act: (asked: Asked) => endWorkflow(workflow.workflowId, action, asked),
    done,
    onDone: () => {
      setReason('');
      onClose();
    },
  });
  const close = (): void => {
    call.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <AskedForm
        reason={reason}
        onReason={setReason}
        confirm={confirm}
        colour={colour}
        pending={call.isPending}
        error={call.error}
        refused="It was not done"
        onClose={close}
        onAsk={(asked) => call.mutate(asked)}
      >
        <Text size="sm" className="long-text">
          <b>{workflow.workflowId}</b>. {explained}
        </Text>
      </AskedForm>
    </Dialog>
  );
}

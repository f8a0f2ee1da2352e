import { Button, NativeSelect, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { signalsOf, type WorkflowDetail } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operationsKey } from '../api/queries';
import { endWorkflow, signalWorkflow, type Asked } from '../api/workflows';
import type { HistoryEvent } from '../api/history-event';
import { Dialog } from '../../ui/dialog';
import { ResetIcon, SignalIcon, SkipIcon, StopIcon } from '../ui/operation-icons';
import { AskedForm } from './asked-form';
import { ResetDialog } from './reset-dialog';

export interface WorkflowActionsProps {
  /** The newest run. */
  readonly workflow: WorkflowDetail;
  readonly events: readonly HistoryEvent[];
}

type Action = 'cancel' | 'terminate' | 'signal';

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
    explained: 'It ends at once, without tidying up: nothing is paid back and nobody is told.',
    confirm: 'Terminate the workflow',
    done: 'The workflow was terminated',
    colour: 'red',
  },
  signal: {
    button: 'Signal …',
    title: 'Send a signal',
    explained: 'The workflow takes it as if it came from the service that usually sends it.',
    confirm: 'Send the signal',
    done: 'The signal was delivered',
    colour: 'indigo',
  },
} as const;

/** What can be done to a workflow as it is now. */
export function WorkflowActions({ workflow, events }: WorkflowActionsProps) {
  const [open, setOpen] = useState<Action | 'reset'>();
  const signals = signalsFor(workflow.type);
  const running = workflow.status === 'RUNNING';
  return (
    <>
      {running && signals.length > 0 ? (
        <Button variant="default" leftSection={<SignalIcon size={16} />} onClick={() => setOpen('signal')}>
          {texts.signal.button}
        </Button>
      ) : null}
      {running ? (
        <>
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
      {(['signal', 'cancel', 'terminate'] as const).map((action) => (
        <ActionDialog
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

interface ActionDialogProps {
  readonly action: Action;
  readonly workflow: WorkflowDetail;
  readonly opened: boolean;
  onClose(): void;
}

/** What is typed outlives the dialog until the action has succeeded. */
function ActionDialog({ action, workflow, opened, onClose }: ActionDialogProps) {
  const { title, explained, confirm, done, colour } = texts[action];
  const signals = signalsFor(workflow.type);
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState('');
  const signal = signals.find((known) => known === chosen) ?? signals[0] ?? '';
  const client = useQueryClient();
  const call = useMutation({
    mutationFn: (asked: Asked) =>
      action === 'signal'
        ? signalWorkflow(workflow.workflowId, signal, asked)
        : endWorkflow(workflow.workflowId, action, asked),
    networkMode: 'always',
    onSuccess: () => {
      notifications.show({ message: done, color: 'green' });
      setReason('');
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: operationsKey }),
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
        {action === 'signal' ? (
          <NativeSelect
            label="Signal"
            data={[...signals]}
            value={signal}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : null}
      </AskedForm>
    </Dialog>
  );
}

/** Signals that a workflow type knows; none for types of other plugins. */
function signalsFor(type: string): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = signalsOf;
  return known[type] ?? [];
}

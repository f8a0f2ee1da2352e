import { ActionIcon, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { endWorkflow, type AuditNote, type WorkflowDetail } from '../api/workflows';
import type { HistoryEvent } from '../api/history-event';
import { Dialog } from '../../ui/dialog';
import { MoreIcon } from '../../ui/icons';
import { ResetIcon, SignalIcon, SkipIcon, StopIcon } from '../ui/operation-icons';
import { mayControl, maySignal } from '../api/rights';
import { ReasonForm } from './reason-form';
import { ResetDialog } from './reset-dialog';
import { SignalDialog } from './signal-dialog';
import { knownSignals } from './signal-draft';
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
    explained: 'The workflow runs its compensation first: a paid order is refunded.',
    confirm: 'Cancel the workflow',
    done: 'The cancellation was requested',
    colour: 'red',
  },
  terminate: {
    button: 'Terminate …',
    title: 'Terminate the workflow?',
    explained: 'The workflow ends at once, without compensation: nothing is refunded, and no notification is sent.',
    confirm: 'Terminate the workflow',
    done: 'The workflow was terminated',
    colour: 'red',
  },
} as const;

/** Actions on a workflow in its current state. */
export function WorkflowActions({ workflow, events }: WorkflowActionsProps) {
  const [open, setOpen] = useState<ActionName>();
  const mayNotSignal = knownSignals(workflow.type, maySignal)?.length === 0;
  const offered = (workflow.status === 'RUNNING' ? runningActions : endedActions).filter(
    ({ name }) => name !== 'signal' || !mayNotSignal,
  );
  if (!mayControl) return null;
  return (
    <>
      <Menu position="bottom-end" width={320}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Actions" title="Actions">
            <MoreIcon size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map(({ name, label, effect, Icon }) => (
            <Menu.Item
              key={name}
              className={name === 'terminate' ? 'quiet-danger' : undefined}
              leftSection={<Icon size={16} />}
              onClick={() => setOpen(name)}
            >
              {label}
              <span className="menu-effect">{effect}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
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

type ActionName = Ending | 'signal' | 'reset';

interface OfferedAction {
  readonly name: ActionName;
  readonly label: string;
  /** Effect of the action. */
  readonly effect: string;
  readonly Icon: typeof SignalIcon;
}

const runningActions: readonly OfferedAction[] = [
  { name: 'signal', label: 'Signal …', effect: 'Sends it a signal', Icon: SignalIcon },
  { name: 'cancel', label: texts.cancel.button, effect: 'Runs its compensation first', Icon: SkipIcon },
  { name: 'terminate', label: texts.terminate.button, effect: 'Ends it at once, without compensation', Icon: StopIcon },
];
const endedActions: readonly OfferedAction[] = [
  { name: 'reset', label: 'Reset …', effect: 'Runs again from a chosen event', Icon: ResetIcon },
];

interface EndDialogProps {
  readonly action: Ending;
  readonly workflow: WorkflowDetail;
  readonly opened: boolean;
  onClose(): void;
}

/** The typed text outlives the dialog until the action has succeeded. */
function EndDialog({ action, workflow, opened, onClose }: EndDialogProps) {
  const { title, explained, confirm, done, colour } = texts[action];
  const [reason, setReason] = useState('');
  const call = useAction({
    act: (note: AuditNote) => endWorkflow(workflow.workflowId, action, note),
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
      <ReasonForm
        reason={reason}
        onReason={setReason}
        confirm={confirm}
        colour={colour}
        pending={call.isPending}
        error={call.error}
        refused="The action failed"
        onClose={close}
        onSubmit={(note) => call.mutate(note)}
      >
        <Text size="sm" className="long-text">
          <b>{workflow.workflowId}</b>. {explained}
        </Text>
      </ReasonForm>
    </Dialog>
  );
}

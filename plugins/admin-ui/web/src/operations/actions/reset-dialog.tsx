import { Alert, Checkbox, List, Loader, NativeSelect, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ResetOutcome, ResetPoint, ResetWarning, WorkflowDetail } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Dialog } from '../../ui/dialog';
import { InfoIcon, WarningIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { operationsKey } from '../api/queries';
import type { HistoryEvent } from '../api/history-event';
import { resetWorkflow, tryReset, type Asked, type ResetRequest } from '../api/workflows';
import { AskedForm } from './asked-form';
import { resetChoices } from './reset-choices';

export interface ResetDialogProps {
  readonly workflow: WorkflowDetail;
  readonly events: readonly HistoryEvent[];
  readonly opened: boolean;
  onClose(): void;
}

/** Goes back to a point in the history, after showing what that repeats. */
export function ResetDialog({ workflow, events, opened, onClose }: ResetDialogProps) {
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [acknowledged, setAcknowledged] = useState(false);
  const choices = resetChoices(events);
  const [first] = choices.named;
  const point = chosen ?? (first?.value === 'COMPENSATION' ? first.value : '');
  const { workflowId, runId } = workflow;
  const trial = useTrial({ workflowId, runId, point, opened });
  const warnings = trial.data?.warnings ?? [];
  const choose = (value: string | undefined): void => {
    setChosen(value);
    setAcknowledged(false);
  };
  const reset = useReset(workflowId, () => {
    setReason('');
    choose(undefined);
    onClose();
  });
  const close = (): void => {
    reset.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title="Reset the workflow" size="lg">
      <AskedForm
        reason={reason}
        onReason={setReason}
        confirm="Reset the workflow"
        pending={reset.isPending}
        error={reset.error}
        refused="It was not reset"
        disabled={trial.data === undefined || (warnings.length > 0 && !acknowledged)}
        onClose={close}
        onAsk={(asked) =>
          reset.mutate({ to: pointOf(point), runId, acknowledge: warnings.map(({ code }) => code), asked })
        }
      >
        <Text size="sm" className="long-text">
          <b>{workflowId}</b>. A new run takes what happened before the point as given, and does again what came after
          it.
        </Text>
        <NativeSelect
          label="Go back to"
          value={point}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[
            { value: '', label: 'Choose a point …' },
            { group: 'By name', items: [...choices.named] },
            { group: 'Ends of steps, newest first', items: [...choices.events] },
          ]}
        />
        <Trial point={point} outcome={trial.data} error={trial.error} />
        {warnings.length === 0 ? null : (
          <Warnings warnings={warnings} acknowledged={acknowledged} onAcknowledge={setAcknowledged} />
        )}
      </AskedForm>
    </Dialog>
  );
}

interface TrialRequest {
  readonly workflowId: string;
  readonly runId: string;
  readonly point: string;
  readonly opened: boolean;
}

/** Requests what the reset would do, each time a point is chosen. */
function useTrial({ workflowId, runId, point, opened }: TrialRequest) {
  return useQuery({
    queryKey: ['reset trial', workflowId, runId, point],
    queryFn: ({ signal }) => tryReset(workflowId, { to: pointOf(point), runId }, signal),
    enabled: opened && point !== '',
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  });
}

function useReset(workflowId: string, onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ asked, ...request }: ResetRequest & { readonly asked: Asked }) =>
      resetWorkflow(workflowId, request, asked),
    networkMode: 'always',
    onSuccess: ({ eventId }) => {
      notifications.show({ message: `A new run goes on from event ${eventId}`, color: 'green' });
      onDone();
      // A page that shows one run by its id goes over to the newest.
      void navigate({ search: '' }, { replace: true });
    },
    onSettled: () => client.invalidateQueries({ queryKey: operationsKey }),
  });
}

function Trial({
  point,
  outcome,
  error,
}: {
  readonly point: string;
  readonly outcome: ResetOutcome | undefined;
  readonly error: unknown;
}) {
  if (point === '') return null;
  if (error !== null) return <ErrorState error={error} title="The workflow cannot be reset to there" />;
  if (outcome === undefined) return <Loader size="sm" role="status" aria-label="Asking what a reset would do" />;
  return (
    <Alert color="blue" icon={<InfoIcon />} title={`Goes back to event ${outcome.eventId}`} role="status">
      {outcome.repeats.length === 0 ? (
        <Text size="sm">Nothing that was begun is repeated.</Text>
      ) : (
        <>
          <Text size="sm">Repeated, if the workflow gets there again:</Text>
          <List size="sm">
            {outcome.repeats.map((repeat, index) => (
              <List.Item key={`${index} ${repeat}`} className="long-text">
                {repeat}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Text size="sm">Signals that came after the point are given to the new run again.</Text>
    </Alert>
  );
}

interface WarningsProps {
  readonly warnings: readonly ResetWarning[];
  readonly acknowledged: boolean;
  onAcknowledge(acknowledged: boolean): void;
}

function Warnings({ warnings, acknowledged, onAcknowledge }: WarningsProps) {
  return (
    <Alert color="red" icon={<WarningIcon />} title="This reset can do harm">
      {warnings.map(({ code, message }) => (
        <Text key={code} size="sm" className="long-text">
          {message}
        </Text>
      ))}
      <Checkbox
        mt="xs"
        label="I know this, and want the reset"
        checked={acknowledged}
        onChange={(event) => onAcknowledge(event.currentTarget.checked)}
      />
    </Alert>
  );
}

function pointOf(value: string): ResetPoint {
  return value === 'FIRST_TASK' || value === 'LAST_TASK' || value === 'COMPENSATION' ? value : Number(value);
}

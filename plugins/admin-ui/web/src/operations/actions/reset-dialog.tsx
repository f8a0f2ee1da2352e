import { Alert, Button, Checkbox, List, Loader, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { namedResetPoints, type ResetPoint } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Dialog } from '../../ui/dialog';
import { ChevronIcon, InfoIcon, WarningIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { operationsKey } from '../api/queries';
import type { HistoryEvent } from '../api/history-event';
import {
  resetWorkflow,
  tryReset,
  type AuditNote,
  type ResetRequest,
  type ResetOutcome,
  type ResetWarning,
  type WorkflowDetail,
} from '../api/workflows';
import { ReasonForm } from './reason-form';
import { resetChoices, type ResetChoices } from './reset-choices';

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
  const point = chosen ?? choices.proposed ?? '';
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
      <ReasonForm
        reason={reason}
        onReason={setReason}
        confirm="Reset the workflow"
        pending={reset.isPending}
        error={reset.error}
        refused="The workflow was not reset"
        disabled={trial.data === undefined || (warnings.length > 0 && !acknowledged)}
        onClose={close}
        onSubmit={(note) =>
          reset.mutate({ to: pointOf(point), runId, acknowledge: warnings.map(({ code }) => code), note })
        }
      >
        <Text size="sm" className="long-text">
          <b>{workflowId}</b>. A new run keeps the history before the point, and repeats the steps after it.
        </Text>
        <PointChoice point={point} choices={choices} onChoose={choose} />
        <Trial point={point} outcome={trial.data} error={trial.error} />
        {warnings.length === 0 ? null : (
          <Warnings warnings={warnings} acknowledged={acknowledged} onAcknowledge={setAcknowledged} />
        )}
      </ReasonForm>
    </Dialog>
  );
}

interface PointChoiceProps {
  readonly point: string;
  readonly choices: ResetChoices;
  onChoose(point: string): void;
}

/** The points that have a name; all others, with the numbers of their events, on request. */
function PointChoice({ point, choices, onChoose }: PointChoiceProps) {
  const isNamed = choices.named.some(({ value }) => value === point);
  const [isAdvanced, setAdvanced] = useState(point !== '' && !isNamed);
  return (
    <div>
      <Radio.Group label="Go back to" value={point} onChange={onChoose}>
        <Stack gap="icon" mt="xxs">
          {choices.named.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        aria-expanded={isAdvanced}
        rightSection={<ChevronIcon size={12} />}
        onClick={() => setAdvanced(!isAdvanced)}
      >
        Advanced
      </Button>
      {isAdvanced ? (
        <NativeSelect
          label="Any point of the history"
          description="Ends of steps, newest first"
          value={isNamed ? '' : point}
          onChange={(event) => onChoose(event.currentTarget.value)}
          data={[{ value: '', label: 'Choose a point …' }, ...choices.events]}
        />
      ) : null}
    </div>
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
    mutationFn: ({ note, ...request }: ResetRequest & { readonly note: AuditNote }) =>
      resetWorkflow(workflowId, request, note),
    networkMode: 'always',
    onSuccess: () => {
      notifications.show({ message: 'The workflow was reset: a new run continues from there', color: 'green' });
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
  if (outcome === undefined) return <Loader size="sm" role="status" aria-label="Checking what a reset would do" />;
  return (
    <Alert color="blue" icon={<InfoIcon />} title="Repeated steps" role="status">
      {outcome.repeats.length === 0 ? (
        <Text size="sm">No activity or child workflow is repeated.</Text>
      ) : (
        <>
          <Text size="sm">Repeated if the workflow reaches them again:</Text>
          <List size="sm">
            {outcome.repeats.map((repeat, index) => (
              <List.Item key={`${index} ${repeat}`} className="long-text">
                {repeat}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Text size="sm">The new run receives the signals that came after the point.</Text>
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
    <Alert color="red" icon={<WarningIcon />} title="Risks of this reset">
      {warnings.map(({ code, message }) => (
        <Text key={code} size="sm" className="long-text">
          {message}
        </Text>
      ))}
      <Checkbox
        mt="xs"
        label="I have read the warnings and want the reset"
        checked={acknowledged}
        onChange={(event) => onAcknowledge(event.currentTarget.checked)}
      />
    </Alert>
  );
}

function pointOf(value: string): ResetPoint {
  return namedResetPoints.find((name) => name === value) ?? Number(value);
}

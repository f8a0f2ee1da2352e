import { Alert, Text } from '@mantine/core';
import type { WorkflowDetail } from '../api/workflows';
import { InfoIcon, WarningIcon } from '../../ui/icons';
import { failedCompensation } from '../actions/reset-choices';
import { loginsIn } from '../ui/logins';
import { attributesOf, typeOf, type HistoryEvent } from '../api/history-event';

/** Something that keeps a workflow from continuing, or how it ended. */
export interface Trouble {
  readonly color: 'yellow' | 'red' | 'blue';
  readonly title: string;
  readonly text: string;
  readonly advice?: string;
}

export interface TroublesProps {
  readonly troubles: readonly Trouble[];
}

/** Why a workflow does not continue, or how it ended, for its operator. */
export function Troubles({ troubles }: TroublesProps) {
  return troubles.map(({ color, title, text, advice }) => (
    <Alert
      key={`${title} ${text}`}
      color={color}
      icon={color === 'blue' ? <InfoIcon /> : <WarningIcon />}
      title={title}
      role={color === 'yellow' ? 'status' : 'alert'}
      mb="md"
    >
      <Text size="sm" className="long-text" dir="auto">
        {text}
      </Text>
      {advice === undefined ? null : <Text size="sm">{advice}</Text>}
    </Alert>
  ));
}

/** @param events of the workflow, as far as they are known */
export function troublesOf(workflow: WorkflowDetail, events: readonly HistoryEvent[]): readonly Trouble[] {
  const { failure, problems, status } = workflow;
  const hasFailedCompensation = status === 'FAILED' && failedCompensation(events).length > 0;
  const reason = endedBecause(events);
  return [
    ...problems.map((text) => ({ color: 'yellow', title: 'The workflow cannot continue', text }) as const),
    ...(failure === undefined ? [] : [failureTrouble(failure, hasFailedCompensation)]),
    ...(reason === undefined ? [] : [{ color: 'blue', ...reason } as const]),
  ];
}

function failureTrouble(text: string, isOfCompensation: boolean): Trouble {
  if (!isOfCompensation) return { color: 'red', title: 'The workflow has failed', text };
  return {
    color: 'red',
    title: 'The compensation has failed',
    text,
    advice: 'After you fix the cause, choose Reset: it repeats the compensation and no earlier step.',
  };
}

/** Who wanted the workflow to end, and why, as it was given. */
function endedBecause(events: readonly HistoryEvent[]): { readonly title: string; readonly text: string } | undefined {
  const ended = events.findLast((event) => /^WORKFLOW_EXECUTION_(TERMINATED|CANCEL_REQUESTED)$/.test(typeOf(event)));
  if (ended === undefined) return undefined;
  const { reason, cause } = attributesOf(ended);
  const text = reason || cause;
  if (!text) return undefined;
  const title = typeOf(ended).endsWith('TERMINATED')
    ? 'The workflow was terminated'
    : 'The cancellation of the workflow was requested';
  return { title, text: loginsIn(text) };
}

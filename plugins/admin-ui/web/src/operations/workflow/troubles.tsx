import { Alert, Text } from '@mantine/core';
import type { WorkflowDetail } from '@gantry/contracts';
import { InfoIcon, WarningIcon } from '../../ui/icons';
import { failedCompensation } from '../actions/reset-choices';
import { attributesOf, typeOf, type HistoryEvent } from '../api/history-event';

/** Why a workflow does not continue, or how it ended, for its operator. */
export function Troubles({
  workflow,
  events,
}: {
  readonly workflow: WorkflowDetail;
  readonly events: readonly HistoryEvent[];
}) {
  const { failure, problems, status } = workflow;
  const failed = status === 'FAILED' ? failedCompensation(events) : [];
  const reason = endedBecause(events);
  return (
    <>
      {problems.map((problem) => (
        <Alert key={problem} color="yellow" icon={<WarningIcon />} title="It cannot continue" role="status">
          <Text size="sm" className="long-text">
            {problem}
          </Text>
        </Alert>
      ))}
      {failure === undefined ? null : (
        <Alert
          color="red"
          icon={<WarningIcon />}
          title={failed.length > 0 ? 'The compensation has failed' : 'The workflow has failed'}
        >
          <Text size="sm" className="long-text">
            {failure}
          </Text>
          {failed.length > 0 ? (
            <Text size="sm">
              When the cause is fixed, choose Reset: it goes back to the compensation and nothing before it.
            </Text>
          ) : null}
        </Alert>
      )}
      {reason === undefined ? null : (
        <Alert color="blue" icon={<InfoIcon />} title={reason.title}>
          <Text size="sm" className="long-text" dir="auto">
            {reason.text}
          </Text>
        </Alert>
      )}
    </>
  );
}

/** Who wanted the workflow to end, and why, as it was given. */
function endedBecause(events: readonly HistoryEvent[]): { readonly title: string; readonly text: string } | undefined {
  const ended = events.findLast((event) => /^WORKFLOW_EXECUTION_(TERMINATED|CANCEL_REQUESTED)$/.test(typeOf(event)));
  if (ended === undefined) return undefined;
  const { reason, cause } = attributesOf(ended);
  const text = reason || cause;
  if (!text) return undefined;
  const title = typeOf(ended).endsWith('TERMINATED') ? 'The workflow was terminated' : 'The workflow was asked to end';
  return { title, text };
}

import { Text } from '@mantine/core';
import type { ActivityView } from '../api/workflows';
import { DataTable } from '../../ui/data-table';
import { durationText } from '../../ui/text/duration-text';
import { Moment } from '../../ui/time/moment';
import { StateBadge } from '../ui/state-badge';

/** Every activity in the order scheduled, with its attempts and why the last one failed. */
export function ActivitiesTable({ activities }: { readonly activities: readonly ActivityView[] }) {
  const numbered = activities.map((activity, index) => ({ ...activity, index }));
  return (
    <DataTable
      label="Table of activities"
      rows={numbered}
      rowKey={({ index }) => String(index)}
      columns={[
        { title: 'Activity', className: 'workflow-cell', cell: (activity) => <Activity activity={activity} /> },
        { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
        { title: 'Attempts', className: 'only-wide', align: 'end', cell: ({ attempt }) => attempt },
        {
          title: 'Scheduled',
          className: 'only-wide',
          align: 'end',
          cell: ({ scheduledTime }) => <Moment value={scheduledTime} />,
        },
        { title: 'Duration', align: 'end', cell: lengthOf },
      ]}
    />
  );
}

function Activity({ activity }: { readonly activity: ActivityView }) {
  const { type, taskQueue, state, lastFailure, nextAttemptTime } = activity;
  return (
    <>
      {type}
      <span className="row-note">{taskQueue}</span>
      {lastFailure === undefined ? null : (
        <Text size="xs" className="long-text failure-text">
          {state === 'completed' ? 'Failure of an earlier attempt: ' : ''}
          {lastFailure}
        </Text>
      )}
      {nextAttemptTime === undefined ? null : (
        <Text size="xs">
          Next attempt at <Moment value={nextAttemptTime} />
        </Text>
      )}
    </>
  );
}

function lengthOf({ closeTime, scheduledTime }: ActivityView): string {
  return closeTime === undefined ? '' : durationText(Date.parse(closeTime) - Date.parse(scheduledTime));
}

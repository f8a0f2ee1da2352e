import { Table, Text } from '@mantine/core';
import type { ActivityView } from '../api/workflows';
import { durationText } from '../../ui/duration-text';
import { Moment } from '../../ui/moment';
import { StateBadge } from '../ui/state-badge';

/** Every activity in the order scheduled, with its attempts and why the last one failed. */
export function ActivitiesTable({ activities }: { readonly activities: readonly ActivityView[] }) {
  return (
    <Table.ScrollContainer
      minWidth={640}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Table of activities', role: 'region' } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>State</Table.Th>
            <Table.Th>Activity</Table.Th>
            <Table.Th>Attempts</Table.Th>
            <Table.Th>Scheduled</Table.Th>
            <Table.Th>Duration</Table.Th>
            <Table.Th>Task queue</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {activities.map((activity, index) => (
            <ActivityRow key={`${index} ${activity.type}`} activity={activity} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ActivityRow({ activity }: { readonly activity: ActivityView }) {
  const { type, state, attempt, scheduledTime, closeTime, lastFailure, nextAttemptTime, taskQueue } = activity;
  return (
    <Table.Tr>
      <Table.Td>
        <StateBadge state={state} />
      </Table.Td>
      <Table.Td>
        {type}
        {lastFailure === undefined ? null : (
          <Text size="xs" className="long-text failure-text">
            {state === 'completed' ? 'An attempt before: ' : ''}
            {lastFailure}
          </Text>
        )}
        {nextAttemptTime === undefined ? null : (
          <Text size="xs">
            Next attempt at <Moment value={nextAttemptTime} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>{attempt}</Table.Td>
      <Table.Td>
        <Moment value={scheduledTime} />
      </Table.Td>
      <Table.Td>
        {closeTime === undefined ? '' : durationText(Date.parse(closeTime) - Date.parse(scheduledTime))}
      </Table.Td>
      <Table.Td>{taskQueue}</Table.Td>
    </Table.Tr>
  );
}

import { Anchor, Code } from '@mantine/core';
import type { WorkflowDetail } from '../api/workflows';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DataTable } from '../../ui/data-table';
import { EmptyState, LoadingState } from '../../ui/states';
import { Surface } from '../../ui/surface';
import { orderAddress, orderServedBy } from '../api/addresses';
import { attributesOf, type HistoryEvent } from '../api/history-event';
import { useNow } from '../../ui/time/use-now';
import { Timeline } from '../timeline/timeline';
import { timelineGroups, type TimelineGroup } from '../timeline/timeline-groups';
import { durationText } from '../../ui/text/duration-text';
import { Moment } from '../../ui/time/moment';
import { sentenceCase } from '../ui/sentence-case';
import { StateBadge } from '../ui/state-badge';
import { WorkflowLink } from '../workflows/workflow-table';
import { ActivitiesTable } from './activities-table';
import { Troubles, troublesOf } from './troubles';

export interface WorkflowOverviewProps {
  readonly workflow: WorkflowDetail;
  readonly events: readonly HistoryEvent[] | undefined;
  readonly live: boolean;
}

/** Summary, problems, timeline, activities and children of a run. */
export function WorkflowOverview({ workflow, events, live }: WorkflowOverviewProps) {
  const now = useNow(live && workflow.status === 'RUNNING');
  // The activities of a long run are not all there, and would stand beside the wrong events.
  const activities = workflow.readEvents === undefined ? workflow.activities : [];
  const groups = events === undefined ? [] : timelineGroups(events, activities);
  const from = Date.parse(workflow.startTime);
  const to = workflow.closeTime === undefined ? Math.max(now, from) : Date.parse(workflow.closeTime);
  return (
    <>
      <Troubles troubles={troublesOf(workflow, events ?? [])} />
      <div className="with-rail">
        <div className="surfaces">
          <Surface title="Timeline">
            {events === undefined ? (
              <LoadingState rows={4} />
            ) : groups.length === 0 ? (
              <EmptyState title="No steps yet">
                The workflow has not started an activity, a timer or a child workflow, and has received no signal.
              </EmptyState>
            ) : (
              <Timeline groups={groups} from={from} to={to} eventCount={events.length} />
            )}
          </Surface>
          {workflow.activities.length === 0 ? null : (
            <Surface title="Activities" isFlush>
              <ActivitiesTable activities={workflow.activities} />
            </Surface>
          )}
          <Children groups={groups} />
        </div>
        <Summary workflow={workflow} events={events ?? []} to={to} />
      </div>
    </>
  );
}

function Summary({
  workflow,
  events,
  to,
}: {
  readonly workflow: WorkflowDetail;
  readonly events: readonly HistoryEvent[];
  readonly to: number;
}) {
  const { workflowId, runId, type, taskQueue, startTime, closeTime, parentWorkflowId, state } = workflow;
  const orderId = orderServedBy(workflowId);
  const earlier = events
    .map((event) => attributesOf(event).baseRunId)
    .findLast((run) => run !== undefined && run !== '');
  const lines: readonly (readonly [string, ReactNode])[] = [
    ['Type', type],
    ['Step', state === undefined ? undefined : sentenceCase(state.step)],
    ['Started', <Moment key="start" value={startTime} />],
    ['Ended', closeTime === undefined ? undefined : <Moment key="end" value={closeTime} />],
    ['Duration', durationText(to - Date.parse(startTime))],
    ['Task queue', taskQueue],
    [
      'Parent',
      parentWorkflowId === undefined ? undefined : <WorkflowLink key="parent" workflowId={parentWorkflowId} />,
    ],
    [
      'Order',
      orderId === undefined ? undefined : (
        <Anchor key="order" component={Link} to={orderAddress(orderId)} inherit>
          {orderId}
        </Anchor>
      ),
    ],
    ['Run', <Code key="run">{runId}</Code>],
    [
      'Reset from',
      earlier === undefined ? undefined : <EarlierRun key="earlier" workflowId={workflowId} runId={earlier} />,
    ],
  ];
  return (
    <Surface title="Execution">
      <dl className="fact-rows">
        {lines
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Surface>
  );
}

function EarlierRun({ workflowId, runId }: { readonly workflowId: string; readonly runId: string }) {
  return (
    <Anchor component={Link} to={`/operations/workflows/${encodeURIComponent(workflowId)}?run=${runId}`} inherit>
      an earlier run
    </Anchor>
  );
}

function Children({ groups }: { readonly groups: readonly TimelineGroup[] }) {
  const children = groups.filter(({ kind }) => kind === 'child');
  if (children.length === 0) return null;
  return (
    <Surface title="Child workflows" isFlush>
      <DataTable
        label="Table of child workflows"
        rows={children}
        rowKey={({ events: [first] }) => first ?? ''}
        columns={[
          {
            title: 'Workflow',
            cell: ({ workflowId = '', runId }) => (
              <WorkflowLink workflowId={workflowId} {...(runId === undefined ? {} : { runId })} />
            ),
          },
          { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          { title: 'Type', cell: ({ name }) => name },
          {
            title: 'Result',
            className: 'workflow-cell',
            cell: ({ result, lastFailure }) => (result === undefined ? lastFailure : <Code>{result}</Code>),
          },
        ]}
      />
    </Surface>
  );
}

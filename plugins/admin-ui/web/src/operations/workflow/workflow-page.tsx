import '../operations.css';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { ApiError } from '../../api/api-error';
import { InfoIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { EmptyState, LoadingState } from '../../ui/states';
import { WorkflowActions } from '../actions/workflow-actions';
import {
  orderAddress,
  orderOf,
  orderServedBy,
  technicalAddress,
  workflowAddress,
  workflowIdIn,
} from '../api/addresses';
import { historyQuery, workflowQuery } from '../api/queries';
import { eventsAtOnce, type History } from '../api/workflows';
import { historyPace } from '../live/history-refresh';
import { LiveControl } from '../live/live-control';
import { useLive } from '../live/use-live';
import { OperationsProblem } from '../ui/operations-problem';
import { StateBadge } from '../ui/state-badge';
import { TemporalPagesLink } from './temporal-pages-link';
import { WorkflowViews } from './workflow-views';

const pace = { running: 2_000, ended: 15_000 };

/** One workflow: what it is, what it does, what it did, and what can be done to it. That of an order is on the order's page. */
export function WorkflowPage() {
  const location = useLocation();
  const workflowId = workflowIdIn(location.pathname);
  const [parameters] = useSearchParams();
  const runId = parameters.get('run') || undefined;
  const live = useLive();
  const [most, setMost] = useState(eventsAtOnce);
  const detail = useQuery({
    ...workflowQuery(workflowId, runId),
    refetchInterval: (query) => live.every(query.state.data?.status === 'RUNNING' ? pace.running : pace.ended)(query),
  });
  const history = useQuery({
    ...historyQuery(workflowId, runId, most),
    refetchInterval: (query) => live.every(historyPace(detail.data, query.state.data, pace))(query),
  });
  const refresh = (): void => void Promise.all([detail.refetch(), history.refetch()]);
  const problem = detail.error ?? history.error;
  if (detail.error instanceof ApiError && detail.error.code === 'WORKFLOW_NOT_FOUND') {
    return <NoWorkflow workflowId={workflowId} runId={runId} />;
  }
  const orderId = detail.data === undefined || runId !== undefined ? undefined : orderOf(detail.data);
  const servedOrder = orderServedBy(workflowId);
  if (orderId !== undefined) return <Navigate to={technicalAddress(orderId, location)} replace />;
  return (
    <>
      <PageHeader
        title={workflowId}
        breadcrumb={<Link to="/operations/workflows">Workflows</Link>}
        status={
          detail.data === undefined ? null : (
            <>
              <StateBadge state={detail.data.status} />
              <TemporalPagesLink workflow={detail.data} />
            </>
          )
        }
        actions={
          <>
            <LiveControl live={live} onRefresh={refresh} />
            {detail.data === undefined || runId !== undefined ? null : (
              <WorkflowActions workflow={detail.data} events={history.data?.events ?? []} />
            )}
            {servedOrder === undefined ? null : (
              <LinkButton to={orderAddress(servedOrder)} variant="default">
                Open the order
              </LinkButton>
            )}
          </>
        }
      />
      <OperationsProblem error={problem} title="The workflow could not be loaded" onRetry={refresh} />
      {runId === undefined ? null : <OneRun workflowId={workflowId} />}
      {detail.data === undefined ? (
        problem === null ? (
          <LoadingState rows={8} />
        ) : null
      ) : (
        <>
          {history.data?.cut === true ? (
            <MoreEvents
              history={history.data}
              reading={history.isPlaceholderData}
              onMore={() => setMost(most + eventsAtOnce)}
            />
          ) : null}
          <WorkflowViews workflow={detail.data} events={history.data?.events} live={live.live} />
        </>
      )}
    </>
  );
}

/** Actions belong to the newest run. */
function OneRun({ workflowId }: { readonly workflowId: string }) {
  return (
    <Alert color="blue" icon={<InfoIcon />} mb="md" title="A single run">
      <Group gap="sm">
        <Text size="sm">This page shows one run by its id. The actions are on the page of the newest run.</Text>
        <LinkButton to={workflowAddress(workflowId)} size="xs" variant="default">
          Show the newest run
        </LinkButton>
      </Group>
    </Alert>
  );
}

function NoWorkflow({ workflowId, runId }: { readonly workflowId: string; readonly runId: string | undefined }) {
  if (runId !== undefined) {
    return (
      <>
        <PageHeader title="Run not found" />
        <EmptyState
          title="Temporal has no run with this id"
          action={<LinkButton to={workflowAddress(workflowId)}>Show the newest run</LinkButton>}
        >
          <span className="long-text">{workflowId}</span> has no run <span className="long-text">{runId}</span>, or its
          history was removed after the retention period.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Workflow not found" />
      <EmptyState
        title="Temporal has no workflow with this id"
        action={
          <LinkButton to="/operations/workflows" variant="default">
            View all workflows
          </LinkButton>
        }
      >
        <span className="long-text">{workflowId}</span> was never started, or its history was removed after the
        retention period.
      </EmptyState>
    </>
  );
}

interface MoreEventsProps {
  readonly history: History;
  /** More events are on their way. */
  readonly reading: boolean;
  onMore(): void;
}

/** Says that a run has more events than the page has read, and reads more. */
function MoreEvents({ history: { events, total }, reading, onMore }: MoreEventsProps) {
  return (
    <Alert color="blue" icon={<InfoIcon />} mb="md" title="A long history" role="status">
      <Group gap="sm">
        <Text size="sm">
          The first {events.length} of {total} events are shown. Steps without an end among them may have ended later.
        </Text>
        <Button size="xs" variant="default" loading={reading} onClick={onMore}>
          Show more events
        </Button>
      </Group>
    </Alert>
  );
}

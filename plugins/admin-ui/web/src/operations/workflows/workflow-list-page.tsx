import '../operations.css';
import './workflow-list.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LinkButton } from '../../ui/page/link-button';
import { FirstPageButton } from '../../ui/page/first-page-button';
import { PageHeader } from '../../ui/page/page';
import { EmptyState, LoadingState } from '../../ui/states';
import { workflowsQuery } from '../api/queries';
import type { WorkflowPage } from '../api/workflows';
import { LiveControl } from '../live/live-control';
import { useLive } from '../live/use-live';
import { useNow } from '../../ui/time/use-now';
import { FailingActivities } from '../ui/failing-activities';
import { ListFoot } from '../../ui/page/list-foot';
import { OperationsProblem } from '../ui/operations-problem';
import { requestOf, useWorkflowListState, type WorkflowListControl } from './list-state';
import { RunCounts } from './run-counts';
import { WorkflowFilters } from './workflow-filters';
import { WorkflowTable } from './workflow-table';

const refreshMs = 5_000;

/** Every workflow that Temporal keeps, in its order. */
export function WorkflowListPage() {
  const control = useWorkflowListState();
  const live = useLive();
  const page = useQuery({ ...workflowsQuery(requestOf(control.state)), refetchInterval: live.every(refreshMs) });
  const now = useNow(live.live);
  return (
    <div className="list-page">
      <PageHeader
        title="Workflows"
        description="Workflows of the services: those that are running first, then the most recently ended."
        actions={<LiveControl live={live} onRefresh={() => void page.refetch()} />}
      />
      <RunCounts control={control} live={live} />
      <WorkflowFilters control={control} />
      <FailingActivities live={live} />
      <OperationsProblem
        error={page.error}
        title="The workflows could not be loaded"
        onRetry={() => void page.refetch()}
      />
      <FirstPageButton error={page.error} after={control.state.after} openFirst={control.openFirst} />
      <div className="list-body surface" data-empty={page.data?.workflows.length === 0 || undefined}>
        {page.data === undefined ? (
          page.error === null ? (
            <LoadingState rows={10} />
          ) : null
        ) : page.data.workflows.length === 0 ? (
          <NoWorkflows control={control} page={page.data} />
        ) : (
          <>
            <WorkflowTable workflows={page.data.workflows} now={now} stale={page.isPlaceholderData} />
            <ListFoot
              control={control}
              nextCursor={page.data.nextCursor}
              shown={page.data.workflows.length}
              sizeLabel="Workflows per page"
            />
          </>
        )}
      </div>
    </div>
  );
}

function NoWorkflows({ control, page }: { readonly control: WorkflowListControl; readonly page: WorkflowPage }) {
  const { nextCursor } = page;
  if (nextCursor !== undefined) {
    return (
      <EmptyState
        title="Only replaced runs are on this page"
        action={<Button onClick={() => control.openNext(nextCursor)}>Next page</Button>}
      >
        Their workflows were reset and are listed with their newest run.
      </EmptyState>
    );
  }
  if (control.filtered) {
    return (
      <EmptyState
        title="No results"
        action={
          <Button variant="default" onClick={control.clear}>
            Clear filters
          </Button>
        }
      >
        No workflow matches the filters. A workflow appears here about a second after it was started.
      </EmptyState>
    );
  }
  if (control.state.after !== undefined) {
    return (
      <EmptyState
        title="This page is empty"
        action={
          <Button variant="default" onClick={control.openFirst}>
            Go to the first page
          </Button>
        }
      >
        The workflows of this page were removed.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No workflow has been started yet"
      action={<LinkButton to="/operations/orders">Place an order</LinkButton>}
    >
      Workflows that services start appear here.
    </EmptyState>
  );
}

import { Anchor } from '@mantine/core';
import type { WorkflowSummary } from '../api/workflows';
import { Link } from 'react-router-dom';
import { DataTable } from '../../ui/data-table';
import { Timestamp } from '../../ui/time/timestamp';
import { orderOf, technicalAddress, workflowAddress } from '../api/addresses';
import { durationText } from '../../ui/text/duration-text';
import { StateBadge } from '../ui/state-badge';

export interface WorkflowTableProps {
  readonly workflows: readonly WorkflowSummary[];
  readonly now: number;
  /** The rows belong to another page or filter than the address says; the right ones are on their way. */
  readonly stale: boolean;
}

/** A page of workflows. It has at most 200 rows, so that all of them are in the document. */
export function WorkflowTable({ workflows, now, stale }: WorkflowTableProps) {
  return (
    <DataTable
      label="Workflows"
      className="workflows"
      isStale={stale}
      rows={workflows}
      rowKey={({ workflowId, runId }) => `${workflowId} ${runId}`}
      columns={[
        {
          title: 'Workflow',
          className: 'workflow-name',
          cell: ({ workflowId, type }) => (
            <>
              <b className="clipped">
                <WorkflowLink workflowId={workflowId} type={type} />
              </b>
              <span className="clipped" title={type}>
                {type}
              </span>
            </>
          ),
        },
        { title: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
        { title: 'Started', className: 'col-1', cell: ({ startTime }) => <Timestamp value={startTime} /> },
        {
          title: 'Duration',
          align: 'end',
          cell: ({ startTime, closeTime }) => {
            const end = closeTime === undefined ? now : Date.parse(closeTime);
            return durationText(end - Date.parse(startTime));
          },
        },
        {
          title: 'Parent',
          className: 'col-2',
          cell: ({ parentWorkflowId: parent }) => (parent === undefined ? null : <WorkflowLink workflowId={parent} />),
        },
        { title: 'Task queue', className: 'col-2', cell: ({ taskQueue }) => taskQueue },
      ]}
    />
  );
}

export interface WorkflowLinkProps {
  readonly workflowId: string;
  readonly runId?: string;
  /** Where it is known: the address of the workflow of an order leads to the page of the order. */
  readonly type?: string;
}

/** The id of a workflow, leading to its page. */
export function WorkflowLink({ workflowId, runId, type }: WorkflowLinkProps) {
  const orderId = type === undefined || runId !== undefined ? undefined : orderOf({ workflowId, type });
  const to = orderId === undefined ? workflowAddress(workflowId, runId) : technicalAddress(orderId);
  return (
    <Anchor component={Link} to={to} inherit>
      <bdi>{workflowId}</bdi>
    </Anchor>
  );
}

import { Anchor } from '@mantine/core';
import type { WorkflowSummary } from '@gantry/contracts';
import { Link } from 'react-router-dom';
import { Timestamp } from '../../ui/timestamp';
import { orderOf, technicalAddress, workflowAddress } from '../api/addresses';
import { durationText } from '../../ui/duration-text';
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
    <div className="items workflows" data-stale={stale || undefined} role="region" aria-label="Workflows" tabIndex={0}>
      <table aria-busy={stale}>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Workflow</th>
            <th scope="col">Type</th>
            <th scope="col">Started</th>
            <th scope="col" className="number">
              Duration
            </th>
            <th scope="col">Parent</th>
            <th scope="col">Task queue</th>
          </tr>
        </thead>
        <tbody>
          {workflows.map((workflow) => (
            <WorkflowRow key={`${workflow.workflowId} ${workflow.runId}`} workflow={workflow} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WorkflowRow({ workflow, now }: { readonly workflow: WorkflowSummary; readonly now: number }) {
  const { workflowId, type, status, startTime, closeTime, parentWorkflowId, taskQueue } = workflow;
  const end = closeTime === undefined ? now : Date.parse(closeTime);
  return (
    <tr>
      <td>
        <StateBadge state={status} />
      </td>
      <td className="wide">
        <WorkflowLink workflowId={workflowId} type={type} />
      </td>
      <td>{type}</td>
      <td>
        <Timestamp value={startTime} />
      </td>
      <td className="number">{durationText(end - Date.parse(startTime))}</td>
      <td>{parentWorkflowId === undefined ? null : <WorkflowLink workflowId={parentWorkflowId} />}</td>
      <td>{taskQueue}</td>
    </tr>
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

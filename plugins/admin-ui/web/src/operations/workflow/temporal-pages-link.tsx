import { Anchor } from '@mantine/core';
import type { WorkflowDetail } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/queries';

/** The address does not change while the platform runs. */
const staleMs = 5 * 60_000;

/** Leads to the same run in Temporal's own pages, where the platform knows them. */
export function TemporalPagesLink({ workflow }: { readonly workflow: Pick<WorkflowDetail, 'workflowId' | 'runId'> }) {
  const { data } = useQuery({ ...overviewQuery, staleTime: staleMs });
  if (data?.temporalPages === undefined) return null;
  const [namespace, workflowId, runId] = [data.namespace, workflow.workflowId, workflow.runId].map(encodeURIComponent);
  return (
    <Anchor
      href={`${data.temporalPages}/namespaces/${namespace}/workflows/${workflowId}/${runId}/history`}
      target="_blank"
      rel="noopener noreferrer"
      size="sm"
      underline="always"
    >
      Open in Temporal’s own pages
    </Anchor>
  );
}

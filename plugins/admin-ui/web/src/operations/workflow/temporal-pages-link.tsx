import { Anchor } from '@mantine/core';
import type { WorkflowDetail } from '../api/workflows';

/** Leads to the same run in Temporal's own pages, where the platform knows them. */
export function TemporalPagesLink({ workflow }: { readonly workflow: Pick<WorkflowDetail, 'temporalPage'> }) {
  if (workflow.temporalPage === undefined) return null;
  return (
    <Anchor href={workflow.temporalPage} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
      Open in Temporal UI
    </Anchor>
  );
}

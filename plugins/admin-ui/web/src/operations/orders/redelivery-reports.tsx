import { Button, Group } from '@mantine/core';
import { consignmentWorkflowId, type WorkflowDetail } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import type { OrderReport } from '../api/orders';
import { workflowQuery } from '../api/queries';
import type { Live } from '../live/use-live';
import { OperationsProblem } from '../ui/operations-problem';
import { mayReport } from '../api/rights';
import { refusedReports, useReport } from './use-report';

export interface RedeliveryReportsProps {
  readonly orderId: string;
  readonly live: Live;
}

const refreshMs = 2_000;

const labels = {
  dispatch: 'Dispatch',
  delivered: 'Report delivered',
  undelivered: 'Report undelivered',
  confirm: 'Confirm receipt',
} as const satisfies Partial<Record<OrderReport, string>>;
type RedeliveryReport = keyof typeof labels;

/** What a person can report about the new consignment of an order; the steps on the page are those of the first one. */
export function RedeliveryReports({ orderId, live }: RedeliveryReportsProps) {
  const consignment = useQuery({
    ...workflowQuery(consignmentWorkflowId(orderId)),
    refetchInterval: live.every(refreshMs),
  });
  const report = useReport(orderId);
  const { isPending, variables, error, mutate } = report;
  return (
    <>
      <Group gap="xs">
        {reportsFor(consignment.data).map((what) => (
          <Button
            key={what}
            size="xs"
            variant="default"
            loading={isPending && variables === what}
            onClick={() => mutate(what)}
          >
            {labels[what]}
          </Button>
        ))}
      </Group>
      {error === null ? null : (
        <OperationsProblem error={error} once title={refusedReports[variables]} onRetry={() => mutate(variables)} />
      )}
    </>
  );
}

/** The consignment that runs is the new one; without an answer of its worker, all reports are offered. */
function reportsFor(consignment: WorkflowDetail | undefined): readonly RedeliveryReport[] {
  if (consignment?.status !== 'RUNNING' || !mayReport('dispatch')) return [];
  switch (consignment.state?.step) {
    case 'WAITING_FOR_DISPATCH':
      return ['dispatch', 'delivered', 'undelivered'];
    case 'SLEEPING':
    case 'CHECKING':
      return ['delivered', 'undelivered', 'confirm'];
    case 'WAITING_FOR_CONFIRMATION':
      return ['confirm'];
    default:
      return ['dispatch', 'delivered', 'undelivered', 'confirm'];
  }
}

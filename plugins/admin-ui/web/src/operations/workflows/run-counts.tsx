import { UnstyledButton } from '@mantine/core';
import { workflowStatuses, type WorkflowStatus } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import '../../ui/page/link-tabs.css';
import { overviewQuery } from '../api/queries';
import type { Live } from '../live/use-live';
import { stateText } from '../ui/state-badge';
import type { WorkflowListControl } from './list-state';

/** Counting costs Temporal more than a page of the list does, and nobody needs it by the second. */
const countEveryMs = 30_000;

/** How many runs are in which state; each leads to its list. A number that cannot be had is left out. */
export function RunCounts({ control, live }: { readonly control: WorkflowListControl; readonly live: Live }) {
  const overview = useQuery({ ...overviewQuery, refetchInterval: live.every(countEveryMs) });
  const runs = overview.data?.runs ?? {};
  const counted = workflowStatuses.flatMap((status) => {
    const count = runs[status] ?? 0;
    return count === 0 ? [] : [{ status, count }];
  });
  if (counted.length === 0) return null;
  return (
    <div
      className="link-tabs"
      role="group"
      aria-label="Runs by state"
      title="Every run, also those that a reset replaced"
    >
      {counted.map(({ status, count }) => (
        <RunCount key={status} status={status} count={count} control={control} />
      ))}
    </div>
  );
}

interface RunCountProps {
  readonly status: WorkflowStatus;
  readonly count: number;
  readonly control: WorkflowListControl;
}

function RunCount({ status, count, control }: RunCountProps) {
  const chosen = control.state.status === status;
  return (
    <UnstyledButton
      aria-pressed={chosen}
      className="link-tab"
      onClick={() => control.change({ status: chosen ? undefined : status })}
    >
      {stateText(status)} <span className="link-tab-count">{count.toLocaleString()}</span>
    </UnstyledButton>
  );
}

import type { History, WorkflowDetail } from '../api/workflows';
import { closeOf } from '../timeline/timeline-groups';

/** Milliseconds between two questions. */
export interface Pace {
  readonly running: number;
  /** A workflow that has ended changes by a reset only. */
  readonly ended: number;
}

/**
 * How often a history is asked for: as often as its workflow, but until its own end is there, and a long one less often,
 * because every answer brings the whole of it.
 */
export function historyPace(detail: WorkflowDetail | undefined, history: History | undefined, pace: Pace): number {
  const behind =
    history === undefined || history.runId !== detail?.runId || (closeOf(history.events) === undefined && !history.cut);
  const milliseconds = detail?.status === 'RUNNING' || behind ? pace.running : pace.ended;
  return Math.max(milliseconds, (history?.events.length ?? 0) * 10);
}

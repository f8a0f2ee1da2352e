import type { ConsignmentState, OrderState } from './workflows';

/** Temporal's own names of workflow states (decisions, "Orders"). @public */
export const workflowStatuses = [
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'TERMINATED',
  'CONTINUED_AS_NEW',
  'TIMED_OUT',
] as const;
/** One of {@link workflowStatuses}. @public */
export type WorkflowStatus = (typeof workflowStatuses)[number];

/** A summary of all workflows, and where to find more. @public */
export interface OperationsOverview {
  readonly namespace: string;
  /** Runs by state, also those that a reset replaced; a state without runs is left out. */
  readonly runs: Partial<Readonly<Record<WorkflowStatus, number>>>;
  /**
   * Activities that have failed several times and are tried again, by type: a sentence for people each. Found in a sample of
   * the workflows that have run for a minute; empty when nothing blocks those.
   */
  readonly problems: readonly string[];
  /** Temporal's own pages, where the platform knows them: an http(s) address without a slash at its end. */
  readonly temporalPages?: string;
}

/** How far an activity is (decisions, "Orders"). @public */
export type ActivityState = 'scheduled' | 'started' | 'completed' | 'failed' | 'timed_out' | 'canceled';

/** A workflow in the list; times are ISO 8601. @public */
export interface WorkflowSummary {
  readonly workflowId: string;
  /** The newest run; a reset adds one. */
  readonly runId: string;
  readonly type: string;
  readonly status: WorkflowStatus;
  readonly taskQueue: string;
  readonly startTime: string;
  readonly closeTime?: string;
  readonly parentWorkflowId?: string;
}

/** An activity of a workflow; `type` and `state` as specified, the rest additive. @public */
export interface ActivityView {
  readonly type: string;
  readonly state: ActivityState;
  readonly taskQueue: string;
  /** The attempt that runs, waits or was the last. */
  readonly attempt: number;
  readonly scheduledTime: string;
  readonly closeTime?: string;
  readonly lastFailure?: string;
  /** When a failed attempt is followed by the next. */
  readonly nextAttemptTime?: string;
}

/** A child workflow that has not ended. @public */
export interface PendingChild {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
}

/** The detail of a workflow (order specification, section 2), for its newest run unless another is named. @public */
export interface WorkflowDetail extends WorkflowSummary {
  readonly activities: readonly ActivityView[];
  readonly pendingChildren: readonly PendingChild[];
  /** JSON-encoded results of the child workflows; of a workflow that is a child itself, its own result is the last. */
  readonly result: readonly string[];
  /** Events of the run. */
  readonly historyLength: number;
  /**
   * Present when the run has more events than are read for a detail: `activities` and `result` then cover so many, the
   * first ones, and of what is under way.
   */
  readonly readEvents?: number;
  /** What a workflow of the order services says of itself; absent when no worker answers for it within a second. */
  readonly state?: OrderState | ConsignmentState;
  /** Why the workflow failed. */
  readonly failure?: string;
  /** The address of the run in Temporal's own pages, where the platform knows them. */
  readonly temporalPage?: string;
  /** Descriptions of what blocks the workflow; empty when nothing does. */
  readonly problems: readonly string[];
}

/** Points of a history that have a name. @public */
export const namedResetPoints = ['FIRST_TASK', 'LAST_TASK', 'FAILED_STEP', 'COMPENSATION'] as const;
/** Points that a reset goes back to: a name, or the id of an event that ends a workflow task. @public */
export type ResetPoint = (typeof namedResetPoints)[number] | number;

/** Codes of {@link ResetWarning}. @public */
export const resetWarningCodes = ['PAID_BACK'] as const;

/**
 * Why a reset can do harm. `PAID_BACK`: the payment was refunded, and the new run may deliver anyway. A request proceeds
 * only when it names the code in `acknowledge`.
 * @public
 */
export interface ResetWarning {
  readonly code: (typeof resetWarningCodes)[number];
  /** For people. */
  readonly message: string;
}

/** What a reset does, or would do. @public */
export interface ResetOutcome {
  readonly workflowId: string;
  /** The run that was gone back in. */
  readonly resetRunId: string;
  readonly eventId: number;
  /** Activities and child workflows that had been begun after the point and are now repeated if the code gets there. */
  readonly repeats: readonly string[];
  /** Empty when nothing has to be acknowledged. */
  readonly warnings: readonly ResetWarning[];
  /** The new run; absent for a dry run. */
  readonly runId?: string;
}

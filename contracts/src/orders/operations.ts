/** Temporal's own names of workflow states. @public */
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

/** Points of a history that have a name. @public */
export const namedResetPoints = ['FIRST_TASK', 'LAST_TASK', 'FAILED_STEP', 'COMPENSATION'] as const;
/** Points that a reset goes back to: a name, or the id of an event that ends a workflow task. @public */
export type ResetPoint = (typeof namedResetPoints)[number] | number;

/**
 * Codes of warnings about a reset. `PAID_BACK`: the payment was refunded, and the new run may deliver anyway. A request proceeds only when it
 * names the code in `acknowledge`.
 * @public
 */
export const resetWarningCodes = ['PAID_BACK'] as const;

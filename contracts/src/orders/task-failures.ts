/** Why a workflow task failed, for people. @public */
export interface TaskFailure {
  /** The code of the workflow, or what it asked for, is the cause; it fails again until the code is changed. */
  readonly isCode: boolean;
  readonly text: string;
}

/** Causes by the name that Temporal gives them, without the prefix. */
const knownCauses: Readonly<Record<string, TaskFailure>> = {
  WORKFLOW_WORKER_UNHANDLED_FAILURE: code('its code failed'),
  NON_DETERMINISTIC_ERROR: code('its code does not fit its history'),
  GRPC_MESSAGE_TOO_LARGE: code('its code returned more than Temporal takes at once'),
  PAYLOADS_TOO_LARGE: code('its code returned more than Temporal takes at once'),
  FORCE_CLOSE_COMMAND: other('it ended while a worker had its next step in hand'),
  UNHANDLED_COMMAND: other('an event came while it was about to end; the step is decided again'),
  RESET_STICKY_TASK_QUEUE: other('the worker that had it in memory is gone; another worker continues'),
  FAILOVER_CLOSE_COMMAND: other('Temporal moved it to another cluster; the step is decided again'),
  RESET_WORKFLOW: other('it was reset'),
};

/**
 * The meaning of the cause of a `WORKFLOW_TASK_FAILED` event.
 * @param cause as in the event, for example `WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND`
 * @public
 */
export function describeTaskFailure(cause: string | undefined): TaskFailure {
  const name = cause?.replace(/^WORKFLOW_TASK_FAILED_CAUSE_/, '') ?? 'UNSPECIFIED';
  const known = Object.hasOwn(knownCauses, name) ? knownCauses[name] : undefined;
  if (known !== undefined) return known;
  // The server refuses what the code asked for: BAD_SCHEDULE_ACTIVITY_ATTRIBUTES, PENDING_ACTIVITIES_LIMIT_EXCEEDED.
  if (/^BAD_|_LIMIT_EXCEEDED$/.test(name)) return code(`Temporal refused what its code asked for (${name})`);
  return other(`its step failed (${name}); it is tried again`);
}

function code(text: string): TaskFailure {
  return { isCode: true, text };
}

function other(text: string): TaskFailure {
  return { isCode: false, text };
}

/** A failure as Temporal writes it; causes are nested. */
export interface HistoryFailure {
  readonly message?: string | null;
  readonly cause?: HistoryFailure | null;
}

interface Payloads {
  readonly payloads?: readonly { readonly data?: string }[];
}

interface ActivityEnd {
  readonly scheduledEventId: string;
  readonly startedEventId?: string;
  readonly failure?: HistoryFailure;
}

interface ChildEvent {
  readonly initiatedEventId: string;
  readonly workflowExecution?: { readonly workflowId: string; readonly runId: string };
  readonly workflowType?: { readonly name: string };
  readonly result?: Payloads;
}

/**
 * An event as Temporal's own tools show it in JSON; of the attributes, those of its type are present. A type alias, because only those are
 * assignable to an object of any members.
 */
export type HistoryEvent = {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly activityTaskScheduledEventAttributes?: {
    readonly activityId: string;
    readonly activityType: { readonly name: string };
    readonly taskQueue?: { readonly name: string };
    readonly workflowTaskCompletedEventId: string;
  };
  readonly activityTaskStartedEventAttributes?: {
    readonly scheduledEventId: string;
    readonly attempt?: number;
    readonly lastFailure?: HistoryFailure;
  };
  readonly activityTaskCompletedEventAttributes?: ActivityEnd;
  readonly activityTaskFailedEventAttributes?: ActivityEnd;
  readonly activityTaskTimedOutEventAttributes?: ActivityEnd;
  readonly activityTaskCanceledEventAttributes?: ActivityEnd;
  readonly startChildWorkflowExecutionInitiatedEventAttributes?: {
    readonly workflowId: string;
    readonly workflowType: { readonly name: string };
    readonly workflowTaskCompletedEventId: string;
  };
  readonly startChildWorkflowExecutionFailedEventAttributes?: { readonly initiatedEventId: string };
  readonly childWorkflowExecutionStartedEventAttributes?: ChildEvent;
  readonly childWorkflowExecutionCompletedEventAttributes?: ChildEvent;
  readonly childWorkflowExecutionFailedEventAttributes?: ChildEvent;
  readonly childWorkflowExecutionCanceledEventAttributes?: ChildEvent;
  readonly childWorkflowExecutionTimedOutEventAttributes?: ChildEvent;
  readonly childWorkflowExecutionTerminatedEventAttributes?: ChildEvent;
  readonly workflowTaskFailedEventAttributes?: {
    readonly cause?: string;
    readonly failure?: HistoryFailure;
    /** Of a reset: the run that was gone back in. */
    readonly baseRunId?: string;
  };
  readonly workflowTaskTimedOutEventAttributes?: { readonly timeoutType?: string };
  readonly workflowExecutionCompletedEventAttributes?: { readonly result?: Payloads };
  readonly workflowExecutionFailedEventAttributes?: { readonly failure?: HistoryFailure };
};

/** The messages of a failure and of what caused it, the outermost first. */
export function describeFailure(failure: HistoryFailure | null | undefined): string | undefined {
  const messages: string[] = [];
  for (let current = failure; current != null; current = current.cause) {
    if (current.message) messages.push(current.message);
  }
  return messages.length === 0 ? undefined : messages.join(': ');
}

/** The value of a result as the JSON text that Temporal stores. */
export function resultText(result: Payloads | undefined): string {
  const data = result?.payloads?.[0]?.data;
  return data === undefined || data === '' ? 'null' : Buffer.from(data, 'base64').toString('utf8');
}

/** How a workflow was closed. */
export type Closing = 'COMPLETED' | 'FAILED' | 'CANCELED' | 'TERMINATED' | 'TIMED_OUT';

/** The subject of a reason: an order, or an operation on one. */
export type EndSubject = 'order' | 'refund' | 'redelivery';

/** A failure as Temporal keeps it, as far as a reason needs it. */
export interface KeptFailure {
  readonly message?: string | null;
  readonly cause?: KeptFailure | null;
  readonly activityFailureInfo?: { readonly activityType?: { readonly name?: string | null } | null } | null;
  readonly childWorkflowExecutionFailureInfo?: object | null;
  readonly timeoutFailureInfo?: object | null;
  readonly terminatedFailureInfo?: object | null;
}

const maxLength = 1_000;

/**
 * Why a workflow of an order ended without its usual result: a sentence for the row. The workflow stores it from the error that it
 * caught, the reconciler from the history, both by this function. Only what closes a workflow without its own error has
 * a fixed text.
 * @returns undefined for a workflow that completed
 */
export function endReason(subject: EndSubject, closing: Closing, failure?: KeptFailure): string | undefined {
  switch (closing) {
    case 'COMPLETED':
      return undefined;
    case 'CANCELED':
      return `The ${subject} was cancelled.`;
    case 'TERMINATED':
      return `The workflow of the ${subject} was terminated.`;
    case 'TIMED_OUT':
      return `The workflow of the ${subject} timed out.`;
    case 'FAILED':
      return failure === undefined ? `The workflow of the ${subject} failed.` : sentence(failure).slice(0, maxLength);
  }
}

/** The failure in an error that a workflow caught; an error of the workflow itself has none yet. */
export function failureOf(error: unknown): KeptFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { failure } = error as { readonly failure?: KeptFailure };
  return failure ?? { message: error.message };
}

function sentence(failure: KeptFailure): string {
  const activity = failure.activityFailureInfo?.activityType?.name;
  if (activity != null) return `${activity} failed: ${rootMessage(failure)}`;
  if (failure.childWorkflowExecutionFailureInfo == null) return rootMessage(failure);
  if (failure.cause?.timeoutFailureInfo != null) return 'The consignment timed out.';
  if (failure.cause?.terminatedFailureInfo != null) return 'The consignment was terminated.';
  return `The consignment failed: ${rootMessage(failure)}`;
}

function rootMessage(failure: KeptFailure): string {
  return failure.cause == null ? (failure.message ?? '') : rootMessage(failure.cause);
}

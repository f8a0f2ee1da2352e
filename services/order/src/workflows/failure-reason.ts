import {
  ActivityFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  TimeoutFailure,
  rootCause,
} from '@temporalio/workflow';

const maxLength = 1_000;

/** Why a workflow of an order does not go on, as a sentence for the row. */
export function failureReason(error: unknown): string {
  return sentence(error).slice(0, maxLength);
}

function sentence(error: unknown): string {
  if (error instanceof ActivityFailure) return `${error.activityType} failed: ${messageOf(error)}`;
  if (!(error instanceof ChildWorkflowFailure)) return messageOf(error);
  if (error.cause instanceof TimeoutFailure) return 'The consignment timed out.';
  if (error.cause instanceof TerminatedFailure) return 'The consignment was terminated.';
  return `The consignment failed: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return rootCause(error) ?? String(error);
}

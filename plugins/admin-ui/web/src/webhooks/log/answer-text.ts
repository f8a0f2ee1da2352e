import type { DeliveryAttempt } from '../webhook-api';

/** Answer of a receiver: its status, such as `200`, or the reason for which there is none; undefined for code that took a change. */
export function answerText({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): string | undefined {
  return status === null ? (error ?? undefined) : String(status);
}

import type { DeliveryAttempt } from '../webhook-api';

/** What a receiver answered: its status, such as `200`, or why there is none; undefined for code that took a change. */
export function answerText({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): string | undefined {
  return status === null ? (error ?? undefined) : String(status);
}

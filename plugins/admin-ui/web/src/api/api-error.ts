import type { DeletionPlan, ErrorDetail, PresenceQuestion, SecondFactorQuestion } from '@gantry/contracts';

/** The data of an error in addition to its message. */
export interface ApiErrorParts {
  readonly details?: readonly ErrorDetail[];
  readonly requestId?: string | undefined;
  /** How long the platform asks to wait before the same request is sent again. */
  readonly retryAfterMs?: number | undefined;
  readonly secondFactor?: SecondFactorQuestion | undefined;
  readonly presence?: PresenceQuestion | undefined;
  readonly deletion?: DeletionPlan | undefined;
}

/** A request that did not succeed: refused by the platform, or never answered (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** Which second factors the sign-in accepts, where it needs one. */
  readonly secondFactor: SecondFactorQuestion | undefined;
  /** By what the reader can prove to be present, where the request needs it. */
  readonly presence: PresenceQuestion | undefined;
  /** Effects of the deletion on other items, which must be confirmed. */
  readonly deletion: DeletionPlan | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { details = [], requestId, retryAfterMs, secondFactor, presence, deletion }: ApiErrorParts = {},
  ) {
    super(message);
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.secondFactor = secondFactor;
    this.presence = presence;
    this.deletion = deletion;
  }
}

/** There was no answer at all. */
export function unreachable(): ApiError {
  return new ApiError(0, 'UNREACHABLE', 'Connection lost.');
}

/** The platform or a part of it is unavailable, and the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503);
}

/** Somebody has deleted the item that it is about. */
export function isItemGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'ITEM_NOT_FOUND';
}

/** A sentence for a person, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'An unexpected error occurred. Reload the page.';
}

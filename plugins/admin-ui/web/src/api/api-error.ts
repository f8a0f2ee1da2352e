import type { ErrorDetail } from '@gantry/contracts';

/** A request that did not succeed: refused by the platform, or never answered (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly requestId?: string,
    /** How long the platform asks to wait before the same request is sent again. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** The platform or a part of it is away for now, and the same request may succeed later. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503);
}

/** A sentence for a person, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something unexpected happened.';
}

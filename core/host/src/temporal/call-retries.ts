import type * as temporalClient from '@temporalio/client';

/** The used part of @temporalio/client; the package is large and loaded late. */
type RetryFunctions = Pick<
  typeof temporalClient,
  'defaultGrpcRetryOptions' | 'isRetryableError' | 'makeGrpcRetryInterceptor'
>;
type Interceptor = ReturnType<RetryFunctions['makeGrpcRetryInterceptor']>;

/** With waits of about 0.2, 0.3, 0.5 and 0.8 seconds between them: a request learns within three that Temporal is unavailable. */
const retries = { maxAttempts: 5, initialIntervalMs: () => 100, factor: 1.7, maxJitter: 0.2 } as const;

/**
 * Tries a call again that Temporal could not serve, a few times, and never past its deadline. The client's own way is ten
 * attempts whose waits do not look at the deadline, so that a call with five seconds could take more than eight.
 */
export function createRetryInterceptor(parts: RetryFunctions): Interceptor {
  const backoff = parts.defaultGrpcRetryOptions(retries);
  return (options, nextCall) => {
    const deadline = Number(options.deadline ?? Infinity);
    let wait = 0;
    const retry = parts.makeGrpcRetryInterceptor({
      retryableDecider(attempt, status) {
        wait = backoff.delayFunction(attempt, status);
        return attempt < retries.maxAttempts && parts.isRetryableError(status) && Date.now() + wait < deadline;
      },
      delayFunction: () => wait,
    });
    return retry(options, nextCall);
  };
}

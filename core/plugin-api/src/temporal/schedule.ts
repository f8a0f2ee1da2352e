import type { ServiceContext } from '../plugin-context';

/**
 * A job that runs by schedule, on one host at a time, also when hosts crash. It needs Temporal.
 * @example { name: 'weigh', intervalMs: 900_000, run: ({ items, signal }) => weighAll(items, signal) }
 * @public
 */
export interface Schedule {
  /** `[a-z][a-z0-9-]{0,39}` */
  readonly name: string;
  /** Minute, hour, day of the month, month and day of the week, such as `0 3 * * MON-FRI`. Either this or `intervalMs`. */
  readonly cron?: string;
  /** Of `cron`, such as `Europe/Berlin`; UTC unless given. */
  readonly timeZone?: string;
  /** Milliseconds from one time to the next, counted from midnight UTC of 1 January 1970: at least 10,000. */
  readonly intervalMs?: number;
  /**
   * Behaviour at a time at which the job still runs: nothing (`skip`, unless given), it runs once more afterwards (`wait`), or it
   * runs twice at the same time (`allow`).
   */
  readonly overlap?: 'skip' | 'wait' | 'allow';
  /** Milliseconds of one attempt: ten minutes unless given, a day at most. After it, `signal` aborts. */
  readonly timeoutMs?: number;
  /** Attempts for one time, with waits of 5 seconds to 5 minutes between them: 3 unless given, 100 at most. */
  readonly maxAttempts?: number;
  /** A rejected run is tried again: write what gives the same result twice. It acts as the plugin. */
  run(context: JobContext): Promise<void>;
}

/** The context of a job. @public */
export interface JobContext extends ServiceContext {
  /** Aborts when the time is up or the host stops. */
  readonly signal: AbortSignal;
  /** The time of the schedule, the same in all attempts. */
  readonly scheduledAt: Date;
  /** 1 for the first one. */
  readonly attempt: number;
}

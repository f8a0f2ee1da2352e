/** Task queues of jobs begin with it. @internal */
export const jobQueuePrefix = 'gantry-jobs-';

/** The task queue of the jobs of a plugin. @internal */
export function jobQueueOf(plugin: string): string {
  return `${jobQueuePrefix}${plugin}`;
}

/** The workflow that a schedule of a plugin starts. @internal */
export const runJobWorkflow = 'runScheduledJob';

/** The argument of the workflow. @internal */
export interface JobInput {
  /** Of the schedule. */
  readonly name: string;
  /** Of each attempt. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
}

/** @internal */
export interface JobActivities {
  /** @param scheduledAt milliseconds since 1970 */
  runJob(name: string, scheduledAt: number): Promise<void>;
}

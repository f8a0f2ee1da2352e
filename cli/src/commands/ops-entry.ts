/** Whether an entry is as it should be. */
export type EntryTone = 'good' | 'bad' | 'open' | 'quiet';

/** One line of the timeline: the events of an activity, timer or child together, or one event of the workflow. */
export interface Entry {
  readonly kind: 'workflow' | 'activity' | 'timer' | 'signal' | 'child';
  readonly name: string;
  /** Its state as text. */
  readonly state: string;
  readonly tone: EntryTone;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Absent where there is no span, or none that has ended. */
  readonly end?: number;
  /** Failures and reasons, in sentences. */
  readonly remarks: readonly string[];
  /** Event of the workflow task that began it: a reset to it repeats it. */
  readonly resetPoint?: string;
}

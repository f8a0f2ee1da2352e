export interface GroupOfDay<C> {
  /** Text such as `Today` or `Thu 26 Nov`. */
  readonly day: string;
  readonly changes: readonly C[];
}

/** Changes by the day on which they were made, for the reader's time zone, in the order in which they come. */
export function groupByDay<C extends { readonly at: string }>(changes: readonly C[]): readonly GroupOfDay<C>[] {
  const days = new Map<string, C[]>();
  for (const change of changes) {
    const day = dayText(change.at);
    days.set(day, [...(days.get(day) ?? []), change]);
  }
  return [...days].map(([day, ofDay]) => ({ day, changes: ofDay }));
}

const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The day of a point in time in ISO 8601, for the reader's time zone: `Today` or `Thu 26 Nov`. */
export function dayText(at: string): string {
  const [time, now] = [new Date(at), new Date()];
  if (time.toDateString() === now.toDateString()) return 'Today';
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(time);
}

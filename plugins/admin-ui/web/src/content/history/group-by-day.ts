import type { ItemChange } from '../../api/changes';

export interface ChangesOfDay {
  /** Such as `Today` or `Thu 26 Nov`. */
  readonly day: string;
  readonly changes: readonly ItemChange[];
}

/** Changes by the day on which they were made, for the reader's time zone, in the order in which they come. */
export function groupByDay(changes: readonly ItemChange[]): readonly ChangesOfDay[] {
  const days = new Map<string, ItemChange[]>();
  for (const change of changes) {
    const day = dayText(new Date(change.at), new Date());
    days.set(day, [...(days.get(day) ?? []), change]);
  }
  return [...days].map(([day, ofDay]) => ({ day, changes: ofDay }));
}

const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function dayText(time: Date, now: Date): string {
  if (time.toDateString() === now.toDateString()) return 'Today';
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(time);
}

import { ExactTime, parseTime } from './exact-time';

const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const day = 86_400_000;
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The longest texts of {@link RecentTime}, for the width of a column. */
export const longestRecentTimes: readonly string[] = [words.format(-10, 'minute'), dates.format(new Date(2000, 8, 28))];

/** A date, or how long ago it was within the last week; the exact time in UTC on hover. */
export function RecentTime({ value, now }: { readonly value: unknown; readonly now: number }) {
  const time = parseTime(value);
  if (time === undefined) return <span className="no-value">–</span>;
  const isRecent = now - time.getTime() < 7 * day && time.getTime() - now < 60_000;
  return <ExactTime time={time}>{isRecent ? relativeText(time.getTime(), now) : dates.format(time)}</ExactTime>;
}

/** How long ago a time was, in its largest unit; the exact time in UTC on hover. */
export function RelativeTime({ value, now }: { readonly value: string | null; readonly now: number }) {
  const time = parseTime(value);
  if (time === undefined) return <span className="no-value">–</span>;
  return <ExactTime time={time}>{relativeText(time.getTime(), now)}</ExactTime>;
}

/** Text such as `5 min. ago`; clocks that differ by a moment do not make it the future. */
function relativeText(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1_000));
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1];
  return words.format(-Math.floor(seconds / size), unit);
}

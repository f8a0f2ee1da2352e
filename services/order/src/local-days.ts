/** A date in a time zone, and when it begins and ends. */
export interface LocalDay {
  /** Example: `2030-01-31`. */
  readonly day: string;
  readonly begin: Date;
  /** When the next one begins. */
  readonly end: Date;
}

/** Whether it is the name of a time zone of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  // Newer versions of Node.js take offsets such as +01:00 as well.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    calendarOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The dates up to that of `now`, the earliest first. */
export function localDays(count: number, timeZone: string, now: Date): readonly LocalDay[] {
  const calendar = calendarOf(timeZone);
  const today = Date.parse(`${calendar.format(now)}T00:00:00Z`);
  const dates = Array.from({ length: count }, (_, index) => today - (count - 1 - index) * dayMs);
  const begins = [...dates, today + dayMs].map((date) => new Date(beginOf(date, calendar)));
  return dates.map((date, index) => {
    const [begin, end] = [begins[index], begins[index + 1]] as [Date, Date];
    return { day: dateText(date), begin, end };
  });
}

/** @param date midnight in UTC */
function dateText(date: number): string {
  return new Date(date).toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

/** Formats a point in time as `2030-01-31`. */
function calendarOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
}

/**
 * The first moment of a date: midnight, or the end of the gap where clocks are put forward at midnight. No time zone is more than
 * 15 hours away from UTC, and clocks are changed at whole quarters of an hour.
 * @param date midnight in UTC
 */
function beginOf(date: number, calendar: Intl.DateTimeFormat): number {
  const day = dateText(date);
  let [before, at] = [date - 15 * hourMs, date + 15 * hourMs];
  while (at - before > quarterMs) {
    const middle = before + Math.floor((at - before) / quarterMs / 2) * quarterMs;
    if (calendar.format(middle) < day) before = middle;
    else at = middle;
  }
  return at;
}

const hourMs = 3_600_000;
const quarterMs = 900_000;

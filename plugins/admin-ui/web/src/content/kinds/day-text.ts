/** A day as text, in no time zone; undefined for what is no day. */
export function parseDay(text: string): Date | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  // JavaScript takes 30 February for a day of March.
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}

/** In UTC, in which {@link parseDay} has the day, so that none is shifted. */
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });

export function shortDay(text: string): string {
  const day = parseDay(text);
  return day === undefined ? text : short.format(day);
}

export function longDay(text: string): string | undefined {
  const day = parseDay(text);
  return day === undefined ? undefined : long.format(day);
}

import { ExactTime, parseTime } from './exact-time';

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A point in time in the reader's time zone; the exact one in UTC on hover. */
export function Timestamp({ value }: { readonly value: unknown }) {
  const time = parseTime(value);
  return time === undefined ? null : <ExactTime time={time}>{shown.format(time)}</ExactTime>;
}

import { ExactTime } from './exact-time';

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A point in time in the reader's time zone; the exact one in UTC on hover. */
export function Timestamp({ value }: { readonly value: unknown }) {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return null;
  return <ExactTime time={time}>{shown.format(time)}</ExactTime>;
}

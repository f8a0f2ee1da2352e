import { ExactTime } from './exact-time';

const withSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const withDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** A point in time to the second, with its day unless that is today; the exact one in UTC on hover. */
export function Moment({ value }: { readonly value: string | number }) {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return null;
  return <ExactTime time={time}>{(isToday(time) ? withSeconds : withDay).format(time)}</ExactTime>;
}

function isToday(time: Date): boolean {
  return time.toDateString() === new Date().toDateString();
}

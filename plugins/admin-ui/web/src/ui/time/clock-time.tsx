import { ExactTime } from './exact-time';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** The time of day, where the day is said elsewhere; the exact one in UTC on hover. */
export function ClockTime({ at }: { readonly at: string }) {
  const time = new Date(at);
  return <ExactTime time={time}>{clock.format(time)}</ExactTime>;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A span of time as people say it, with its two largest units: `35 ms`, `4.3 s`, `2 min 5 s`, `3 h 12 min`, `2 d 4 h`. */
export function duration(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span < second) return `${Math.round(span)} ms`;
  if (span < 59_950) return `${(span / second).toFixed(1).replace(/\.0$/, '')} s`;
  if (span < hour) return parts(span, [minute, 'min'], [second, 's']);
  return span < day ? parts(span, [hour, 'h'], [minute, 'min']) : parts(span, [day, 'd'], [hour, 'h']);
}

type Unit = readonly [length: number, name: string];

/** Rounded to the smaller unit, so that it never reads `1 min 60 s`. */
function parts(span: number, [larger, largerName]: Unit, [smaller, smallerName]: Unit): string {
  const rounded = Math.round(span / smaller) * smaller;
  const rest = (rounded % larger) / smaller;
  const whole = `${Math.floor(rounded / larger)} ${largerName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallerName}`;
}

/** A time of the platform for a person: `2030-01-31 09:05:07 UTC`. */
export function moment(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

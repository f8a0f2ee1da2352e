import { parseDay } from '../day-text';

/** `2026-03-01 10:30`, with seconds and milliseconds where they are given. */
const pattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/;

/** The reader's time zone, for example `Europe/Berlin`. */
export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** An instant as clocks of the reader's zone show it; undefined for what is no instant. */
export function localText(value: string): string | undefined {
  if (!/T.*(?:Z|[+-]\d\d:\d\d)$/.test(value)) return undefined;
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return undefined;
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const [seconds, milliseconds] = [time.getSeconds(), time.getMilliseconds()];
  const fraction = milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`;
  const rest = seconds === 0 && fraction === '' ? '' : `:${two(seconds)}${fraction}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}${rest}`;
}

/** The instant of a local time, in UTC: of two, the earlier; undefined for what is no local time, or one that clocks skip. */
export function readLocal(text: string): string | undefined {
  return instantsAt(text)?.[0]?.toISOString();
}

/**
 * The instants at which clocks of the reader's zone show the time: two when they go back, none when they go forward.
 * @returns undefined for what is no date and time
 */
export function instantsAt(text: string): readonly Date[] | undefined {
  const [, day = '', hour = '', minute = '', second = '0', fraction = ''] = pattern.exec(text.trim()) ?? [];
  const date = parseDay(day);
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const wanted = new Date(0);
  wanted.setFullYear(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  wanted.setHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0')));
  const time = [day, ' ', hour, ':', minute].join('');
  const isSame = (instant: Date): boolean =>
    localText(instant.toISOString())?.startsWith(time) === true &&
    instant.getSeconds() === Number(second) &&
    instant.getMilliseconds() === Number(fraction.padEnd(3, '0'));
  const near = shifts.map((shift) => new Date(wanted.getTime() + shift * 60_000));
  return near.filter(isSame).toSorted((one, other) => one.getTime() - other.getTime());
}

/** Minutes by which clocks have gone back, and by which the other instant is apart. */
const shifts = [0, -120, -60, -40, -30, -20, 20, 30, 40, 60, 120];

/** The offset from UTC at an instant, for example `UTC+02:00`. */
export function offsetText(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

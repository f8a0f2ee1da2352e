import { parsed, refused, type Parsed } from './field-kind';

const wrongDay = refused('WRONG_TYPE', 'must be a calendar day without a time, such as 2026-03-01');
const wrongInstant = refused(
  'WRONG_TYPE',
  'must be a date and time with its offset from UTC, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00',
);
const wrongTime = refused('WRONG_TYPE', 'must be a time of day such as 09:30 or 09:30:15, without an offset');

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;

/** A regular expression of the days that {@link readDay} accepts. */
export const dayPattern = String.raw`(?!0000)(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|${leapYear}-02-29)`;

/** Reads a day of the Gregorian calendar from the year 1 to 9999, `YYYY-MM-DD`. */
export function readDay(text: string): Parsed<string> {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (parts === null) return /^[+-]?\d{5,}-\d\d-\d\d$/.test(text) ? outOfYears : wrongDay;
  return dayProblem(Number(parts[1]), Number(parts[2]), Number(parts[3])) ?? parsed(text);
}

/** Reads a time of day, `HH:MM`, `HH:MM:SS` or with up to three digits of a fraction, as PostgreSQL writes it. */
export function readTime(text: string): Parsed<string> {
  const parts = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/.exec(text);
  if (parts === null) return wrongTime;
  const [, hour = '', minute = '', second = '00', fraction = ''] = parts;
  const problem = timeProblem(Number(hour), Number(minute), Number(second), fraction);
  if (problem !== undefined) return problem;
  const rest = fraction.replace(/0+$/, '');
  return parsed(`${hour}:${minute}:${second}${rest === '' ? '' : `.${rest}`}`);
}

/** Reads a date and time with an offset (ISO 8601) as the same instant in UTC. */
export function readInstant(text: string): Parsed<string> {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d))$/.exec(text);
  if (parts === null) return wrongInstant;
  const [
    ,
    day = '',
    hour = '',
    minute = '',
    second = '00',
    fraction = '',
    sign,
    offsetHours = '0',
    offsetMinutes = '0',
  ] = parts;
  const read = readDay(day);
  if (!read.ok) return read;
  const problem =
    timeProblem(Number(hour), Number(minute), Number(second), fraction) ??
    offsetProblem(Number(offsetHours), Number(offsetMinutes));
  if (problem !== undefined) return problem;
  const local = Date.parse(`${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const instant = new Date(sign === '-' ? local + offset : local - offset);
  return isWithinYears(instant) ? parsed(instant.toISOString()) : outOfYears;
}

/** An instant that PostgreSQL or Sequelize gives, in UTC with milliseconds; undefined for infinity. */
export function instantText(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  // `2026-03-01 09:30:00.5+00` of a column, `2026-03-01T09:30:00.5+00:00` of JSON, `2026-03-01` of a field that was a DATE.
  const iso = String(value)
    .replace(' ', 'T')
    .replace(/(:[\d.]+[+-]\d\d)$/, '$1:00');
  const instant = new Date(iso);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

const outOfYears = refused('OUT_OF_RANGE', 'must be from the year 0001 to the year 9999');

function isWithinYears(instant: Date): boolean {
  return instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;
}

function dayProblem(year: number, month: number, day: number) {
  if (year < 1) return outOfYears;
  const name = monthNames[month - 1];
  if (name === undefined) return refused('OUT_OF_RANGE', `must be a day that exists: there is no month ${month}`);
  const days = daysOf(year, month);
  if (day >= 1 && day <= days) return undefined;
  return refused('OUT_OF_RANGE', `must be a day that exists: ${name} ${year} has the days 1 to ${days}`);
}

/** Days of a month, from 1. */
export function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

function timeProblem(hour: number, minute: number, second: number, fraction: string) {
  if (hour > 23) return refused('OUT_OF_RANGE', 'must have an hour from 00 to 23');
  if (minute > 59) return refused('OUT_OF_RANGE', 'must have a minute from 00 to 59');
  if (second > 59) return refused('OUT_OF_RANGE', 'must have a second from 00 to 59');
  if (!/^\d{0,3}0*$/.test(fraction)) return refused('OUT_OF_RANGE', 'must have at most three digits after the second');
  return undefined;
}

/** As far as offsets of real places, today's and past ones, go. */
function offsetProblem(hours: number, minutes: number) {
  if (hours <= 15 && minutes <= 59) return undefined;
  return refused('OUT_OF_RANGE', 'must have an offset from -15:59 to +15:59');
}

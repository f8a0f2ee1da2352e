import * as fc from 'fast-check';
import { isTimeZone, localDays } from '../src/local-days';

/** Among them zones that put their clocks forward at midnight, that are 14 hours ahead, and that skipped a day. */
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Santiago', 'Africa/Cairo', 'Asia/Kathmandu'].concat(
  ['Pacific/Kiritimati', 'Pacific/Apia', 'Pacific/Pago_Pago', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Beirut'],
);

describe('the days of a time zone', () => {
  it('follow each other, and have the moments that the calendar of the zone has on them', () => {
    const moment = fc.date({ min: new Date('2011-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, fc.double({ min: 0, max: 1, noNaN: true }), (zone, now, part) => {
        const days = localDays(5, zone, now);
        expect(days.slice(1).map(({ begin }) => begin)).toEqual(days.slice(0, -1).map(({ end }) => end));
        const first = days[0]?.begin.getTime() ?? NaN;
        const any = first + Math.floor(part * ((days.at(-1)?.end.getTime() ?? NaN) - first - 1));
        const found = days.find(({ begin, end }) => begin.getTime() <= any && any < end.getTime());
        expect([zone, any, found?.day]).toEqual([zone, any, dateIn(zone, new Date(any))]);
        expect(days.at(-1)?.day).toBe(dateIn(zone, now));
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  it.each(['Europe/Nowhere', '', '+01:00', '%', 'Europe/Berlin '])('do not exist for %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

/** By the parts of a date, which the implementation does not use. */
function dateIn(timeZone: string, time: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(time)
    .map(({ type, value }) => [type, value]);
  const { year, month, day } = Object.fromEntries(parts) as Record<string, string>;
  return `${year}-${month}-${day}`;
}

import { accepted, arrayText, readTextList, type BoundOperand, type KindOperator } from '@gantry/plugin-api';
import { refused, type FieldKind, type Parsed } from './field-kind';
import type { FieldRules } from './field-rules';

/** The functions of a kind of dates that {@link relativeOperators} uses. */
export interface RelativeDates {
  /** Letters of the units of relative values, for example `dwmy`. */
  readonly units: string;
  /** SQL of the moment at a distance from now. @param interval SQL of the distance */
  at(interval: string): string;
}

const unitNames: Readonly<Record<string, string>> = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' };

/** A thousand years: PostgreSQL fails at years that it does not have, of which a greater distance could come. */
const longest: Readonly<Record<string, number>> = { w: 52_000, m: 12_000, y: 1_000 };

const tooFar = refused('OUT_OF_RANGE', 'must be at most 1000 years from now');

/** BEFORE, AFTER and BETWEEN, with values such as `-7d` that are relative to the time of the request. */
export function relativeOperators(dates: RelativeDates): Readonly<Record<string, KindOperator>> {
  return { BEFORE: comparing('<', dates), AFTER: comparing('>', dates), BETWEEN: between(dates) };
}

interface Moment {
  readonly text: string;
  sql(parameter: string): string;
  readonly isRelative: boolean;
}

function comparing(comparison: '<' | '>', dates: RelativeDates): KindOperator {
  return {
    bind(text, field, kind) {
      const moment = readMoment(text, dates, field, kind);
      if (!moment.ok) return moment;
      const { value } = moment;
      return accepted<BoundOperand>({
        value: value.text,
        variant: value.isRelative ? 'relative' : '',
        condition: (column, parameter) => `${column} ${comparison} ${value.sql(parameter)}`,
      });
    },
  };
}

function between(dates: RelativeDates): KindOperator {
  return {
    bind(text, field, kind) {
      const listed = readTextList(text);
      if (!listed.ok) return listed;
      const [from, to, ...rest] = listed.value;
      if (from === undefined || to === undefined || rest.length > 0) {
        return { ok: false, code: 'WRONG_TYPE', message: 'must be a JSON array of two values, such as ["-7d","0d"]' };
      }
      const first = readMoment(from, dates, field, kind);
      if (!first.ok) return first;
      const last = readMoment(to, dates, field, kind);
      if (!last.ok) return last;
      return accepted<BoundOperand>({
        value: arrayText([first.value.text, last.value.text]),
        variant: [first, last].map(({ value }) => (value.isRelative ? 'relative' : 'fixed')).join(' '),
        condition: (column, parameter) => {
          const bound = (moment: Moment, index: number): string => moment.sql(`((${parameter}::text[])[${index}])`);
          return `${column} BETWEEN ${bound(first.value, 1)} AND ${bound(last.value, 2)}`;
        },
      });
    },
  };
}

function readMoment(text: string, dates: RelativeDates, field: FieldRules, kind: FieldKind): Parsed<Moment> {
  const [, distance, unit = ''] = /^([+-]?\d{1,5})([a-z])$/.exec(text.trim()) ?? [];
  if (distance !== undefined && dates.units.includes(unit)) {
    if (Math.abs(Number(distance)) > (longest[unit] ?? Infinity)) return tooFar;
    const interval = `${Number(distance)} ${unitNames[unit]}`;
    return accepted({ text: interval, isRelative: true, sql: (parameter) => dates.at(`(${parameter})::interval`) });
  }
  const converted = kind.convert(text, field);
  if (!converted.ok) {
    const units = dates.units.split('').join(', ');
    return { ...converted, message: `${converted.message}, or relative to now, such as -7d (units: ${units})` };
  }
  return accepted({
    text: String(converted.value),
    isRelative: false,
    sql: (parameter) => kind.cast(parameter, field),
  });
}

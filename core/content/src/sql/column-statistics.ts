import { isGroup, type BoundComparison, type BoundCriterion } from '../query/criteria';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { RunQuery } from '@gantry/core-database';

/** PostgreSQL's statistics of the table of a type. */
export interface TableStatistics {
  readonly rows: number;
  /** The part of all rows that meets the criterion, from 0 to 1; undefined where the statistics do not cover it. */
  fraction(criterion: BoundCriterion): number | undefined;
}

/** Statistics of tables, kept in memory and refreshed in the background; a table that was never analysed has none. */
export interface ColumnStatistics {
  /** @returns undefined while they are not known */
  of(type: ItemTypeDescriptor): TableStatistics | undefined;
}

/** A value of the statistics in the forms that criteria are compared with, made once. */
interface KnownValue {
  readonly text: string;
  readonly lowerCase: string;
  /** NaN for what is no number. */
  readonly number: number;
}

interface ColumnValues {
  readonly form: Form;
  readonly nullFraction: number;
  /** As pg_stats has it: negative for a part of the rows. */
  readonly distinct: number;
  readonly common: readonly KnownValue[];
  readonly commonFractions: readonly number[];
  /** The part of the rows whose value is neither null nor one of the common ones. */
  readonly othersFraction: number;
  /** The histogram: bounds of groups that hold equally many of the other values. */
  readonly bounds: readonly KnownValue[];
}

interface Known {
  readonly table: TableStatistics | undefined;
  readonly readAt: number;
}

const maxAgeMs = 60_000;

export function createColumnStatistics(query: RunQuery): ColumnStatistics {
  const known = new Map<string, Known>();
  const refreshing = new Set<string>();
  const refresh = async (type: ItemTypeDescriptor): Promise<void> => {
    refreshing.add(type.code);
    // A list without statistics is planned for its values: slower, and as right.
    const table = await readTable(type, query).catch(() => undefined);
    known.set(type.code, { table, readAt: performance.now() });
    refreshing.delete(type.code);
  };
  return {
    of(type) {
      const found = known.get(type.code);
      const isFresh = found !== undefined && performance.now() - found.readAt < maxAgeMs;
      if (!isFresh && !refreshing.has(type.code)) void refresh(type);
      return found?.table;
    },
  };
}

const sql = `SELECT c.reltuples, s.attname, s.null_frac, s.n_distinct, s.most_common_vals::text::text[], s.most_common_freqs,
    s.histogram_bounds::text::text[]
  FROM pg_class c LEFT JOIN pg_stats s ON s.schemaname = 'public' AND s.tablename = c.relname AND s.attname = ANY($2::text[])
  WHERE c.oid = to_regclass($1)`;

/** Reads the statistics of the columns that criteria compare. @returns undefined when the table was never analysed */
export async function readTable(type: ItemTypeDescriptor, query: RunQuery): Promise<TableStatistics | undefined> {
  const columns = type.fields.filter((field) => formOf(field) !== undefined);
  const found = await query({
    sql,
    values: [`public."${type.table.replaceAll('"', '""')}"`, columns.map(({ column }) => column)],
  });
  const rows = Number(found[0]?.[0] ?? -1);
  if (rows <= 0) return undefined;
  const forms = new Map(columns.map((field) => [field.column, formOf(field)]));
  const byColumn = new Map(
    found.flatMap((row) => {
      const column = row[1] as string;
      const form = forms.get(column);
      return form === undefined ? [] : [[column, valuesOf(row, form)] as const];
    }),
  );
  return {
    rows,
    fraction(criterion) {
      if (isGroup(criterion) || criterion.via !== undefined) return undefined;
      if (criterion.field.name === 'id') return criterion.operator === 'EQUALS' ? 1 / rows : undefined;
      const values = byColumn.get(criterion.field.column);
      return values && fractionOf(criterion, values, rows);
    },
  };
}

const numbers = /^(?:smallint|integer|bigint|numeric|decimal|real|double precision)\b/i;
const shortTexts = /^(?:varchar|character varying|boolean|date|uuid)\b/i;

/** How a value is compared with those of the statistics. */
type Form = 'number' | 'text';

/** The form in which values of a field are compared with the statistics; undefined for long values and those without an order. */
function formOf({ columnType, kind }: FieldDescriptor): Form | undefined {
  if (kind.index !== 'order' && kind.index !== 'trigram') return undefined;
  if (numbers.test(columnType)) return 'number';
  return shortTexts.test(columnType) ? 'text' : undefined;
}

function valuesOf(
  [, , nullFraction, distinct, common, fractions, bounds]: readonly unknown[],
  form: Form,
): ColumnValues {
  const commonFractions = (fractions ?? []) as readonly number[];
  return {
    form,
    nullFraction: Number(nullFraction),
    distinct: Number(distinct),
    common: knownValues(common),
    commonFractions,
    othersFraction: Math.max(0, 1 - Number(nullFraction) - commonFractions.reduce((sum, part) => sum + part, 0)),
    bounds: knownValues(bounds),
  };
}

function knownValues(texts: unknown): readonly KnownValue[] {
  return ((texts ?? []) as readonly string[]).map((text) => ({
    text,
    lowerCase: text.toLowerCase(),
    number: Number(text),
  }));
}

function fractionOf({ operator, value }: BoundComparison, values: ColumnValues, rows: number): number | undefined {
  if (value === null || operator === 'OWN') return undefined;
  if (operator === 'EQUALS') return equalFraction(value, values, rows);
  if (operator === 'CONTAINS') return rows < minIndexedRows ? undefined : containingFraction(String(value), values);
  if (operator === 'SAME' || values.form !== 'number') return undefined;
  const below = fractionBelow(Number(value), values);
  return operator === 'LESS_THAN' ? below : Math.max(0, 1 - values.nullFraction - below);
}

function equalFraction(value: string | boolean, values: ColumnValues, rows: number): number {
  const text = typeof value === 'boolean' ? String(value).charAt(0) : value;
  // Once, because a number may have a thousand digits.
  const number = Number(text);
  const isSame =
    values.form === 'number'
      ? (common: KnownValue) => common.number === number
      : (common: KnownValue) => common.text === text;
  const index = values.common.findIndex(isSame);
  if (index >= 0) return values.commonFractions[index] ?? 0;
  const distinct = values.distinct < 0 ? -values.distinct * rows : values.distinct;
  return values.othersFraction / Math.max(1, distinct - values.common.length);
}

/** In a smaller table, a plan for any text may prefer the whole table to its trigram index, and would be kept when it grows. */
const minIndexedRows = 10_000;

/** A text that the trigram index can look for; letters beyond ASCII are letters to it only under some locales. */
const indexable = /[A-Za-z0-9]{3}/;

/** Inner bounds of a histogram that are enough of a sample; PostgreSQL's own limit for patterns. */
const minSample = 98;

/** PostgreSQL's estimate for a pattern that no bound of the histogram matches. */
const rareFraction = 0.0001;

/** As PostgreSQL estimates ILIKE: the common values that match, and the part of the histogram's inner bounds that match. */
function containingFraction(text: string, values: ColumnValues): number | undefined {
  if (!indexable.test(text)) return undefined;
  const part = text.toLowerCase();
  const matches = ({ lowerCase }: KnownValue): boolean => lowerCase.includes(part);
  const common = values.common.reduce(
    (sum, value, index) => sum + (matches(value) ? (values.commonFractions[index] ?? 0) : 0),
    0,
  );
  const sample = values.bounds.slice(1, -1);
  if (sample.length < minSample) return values.bounds.length === 0 ? Math.max(rareFraction, common) : undefined;
  return common + values.othersFraction * Math.max(rareFraction, sample.filter(matches).length / sample.length);
}

function fractionBelow(value: number, values: ColumnValues): number {
  const common = values.common.reduce(
    (sum, { number }, index) => sum + (number < value ? (values.commonFractions[index] ?? 0) : 0),
    0,
  );
  return common + values.othersFraction * positionIn(values.bounds, value);
}

/** The part of a histogram that is below a value, with a straight line between two bounds. */
function positionIn(bounds: readonly KnownValue[], value: number): number {
  const next = bounds.findIndex(({ number }) => number >= value);
  if (next < 0) return bounds.length === 0 ? 0 : 1;
  if (next === 0) return 0;
  const [lower, upper] = [bounds[next - 1]?.number ?? 0, bounds[next]?.number ?? 0];
  return (next - 1 + (value - lower) / (upper - lower)) / (bounds.length - 1);
}

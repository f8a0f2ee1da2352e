import type { BoundCriterion } from '../criteria';
import type { ItemTypeDescriptor } from '../descriptor';
import type { RunQuery } from '../reference-check';

/** What PostgreSQL's statistics say about the table of a type. */
export interface TableStatistics {
  readonly rows: number;
  /** The part of all rows that meets the criterion, from 0 to 1; undefined where the statistics cannot tell. */
  fraction(criterion: BoundCriterion): number | undefined;
}

/** Statistics of tables, kept in memory and refreshed in the background; a table that was never analysed has none. */
export interface ColumnStatistics {
  /** @returns undefined while they are not known */
  of(type: ItemTypeDescriptor): TableStatistics | undefined;
}

interface ColumnValues {
  readonly nullFraction: number;
  /** As pg_stats has it: negative for a part of the rows. */
  readonly distinct: number;
  readonly common: readonly string[];
  readonly commonFractions: readonly number[];
  /** Bounds of groups that hold equally many of the other values. */
  readonly bounds: readonly number[];
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

const numericKinds: ReadonlySet<string> = new Set(['integer', 'long', 'decimal', 'double', 'reference']);
const shortKinds: ReadonlySet<string> = new Set([...numericKinds, 'boolean', 'string']);

const sql = `SELECT c.reltuples, s.attname, s.null_frac, s.n_distinct, s.most_common_vals::text::text[], s.most_common_freqs,
    CASE WHEN s.attname = ANY($3::text[]) THEN s.histogram_bounds::text::float8[] END
  FROM pg_class c LEFT JOIN pg_stats s ON s.schemaname = 'public' AND s.tablename = c.relname AND s.attname = ANY($2::text[])
  WHERE c.oid = to_regclass($1)`;

/** Reads the statistics of the columns that criteria compare. @returns undefined when the table was never analysed */
export async function readTable(type: ItemTypeDescriptor, query: RunQuery): Promise<TableStatistics | undefined> {
  const columns = (kinds: ReadonlySet<string>): readonly string[] =>
    type.fields.filter(({ column, kind }) => column !== '' && kinds.has(kind)).map(({ column }) => column);
  const found = await query({
    sql,
    values: [`public."${type.table.replaceAll('"', '""')}"`, columns(shortKinds), columns(numericKinds)],
  });
  const rows = Number(found[0]?.[0] ?? -1);
  if (rows <= 0) return undefined;
  const byColumn = new Map(found.flatMap((row) => (typeof row[1] === 'string' ? [[row[1], valuesOf(row)]] : [])));
  return {
    rows,
    fraction(criterion) {
      if (criterion.field.name === 'id') return criterion.operator === 'EQUALS' ? 1 / rows : undefined;
      const values = byColumn.get(criterion.field.column);
      return values && fractionOf(criterion, values, rows);
    },
  };
}

function valuesOf([, , nullFraction, distinct, common, commonFractions, bounds]: readonly unknown[]): ColumnValues {
  return {
    nullFraction: Number(nullFraction),
    distinct: Number(distinct),
    common: (common ?? []) as readonly string[],
    commonFractions: (commonFractions ?? []) as readonly number[],
    bounds: (bounds ?? []) as readonly number[],
  };
}

function fractionOf(
  { field, operator, value }: BoundCriterion,
  values: ColumnValues,
  rows: number,
): number | undefined {
  if (operator === 'EQUALS') return equalFraction(field.kind, value, values, rows);
  if (operator === 'CONTAINS' || !numericKinds.has(field.kind)) return undefined;
  const below = fractionBelow(Number(value), values);
  return operator === 'LESS_THAN' ? below : Math.max(0, 1 - values.nullFraction - below);
}

function equalFraction(kind: string, value: string | boolean, values: ColumnValues, rows: number): number {
  const text = typeof value === 'boolean' ? String(value).charAt(0) : value;
  const isSame = numericKinds.has(kind)
    ? (common: string) => Number(common) === Number(text)
    : (common: string) => common === text;
  const index = values.common.findIndex(isSame);
  if (index >= 0) return values.commonFractions[index] ?? 0;
  const distinct = values.distinct < 0 ? -values.distinct * rows : values.distinct;
  return othersFraction(values) / Math.max(1, distinct - values.common.length);
}

function fractionBelow(value: number, values: ColumnValues): number {
  const common = values.common.reduce(
    (sum, text, index) => sum + (Number(text) < value ? (values.commonFractions[index] ?? 0) : 0),
    0,
  );
  return common + othersFraction(values) * positionIn(values.bounds, value);
}

/** The part of the rows whose value is neither null nor one of the common ones. */
function othersFraction({ nullFraction, commonFractions }: ColumnValues): number {
  return Math.max(0, 1 - nullFraction - commonFractions.reduce((sum, fraction) => sum + fraction, 0));
}

/** The part of a histogram that is below a value, with a straight line between two bounds. */
function positionIn(bounds: readonly number[], value: number): number {
  const next = bounds.findIndex((bound) => bound >= value);
  if (next < 0) return bounds.length === 0 ? 0 : 1;
  const upper = bounds[next] ?? value;
  const lower = bounds[next - 1];
  if (lower === undefined) return 0;
  return (next - 1 + (value - lower) / (upper - lower)) / (bounds.length - 1);
}

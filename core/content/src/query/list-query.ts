import { invalidParameter, type GantryError } from '@gantry/plugin-api';
import type { DetailCode } from '@gantry/contracts';
import { isNumeral, truncate, onceFor } from '@gantry/core-common';
import { fieldsByName, searchableFields, type FieldsByName } from './criteria';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { readId } from '../kinds/reference';
import { checkStorable } from '../kinds/text-characters';
import { hasOrderIndex } from '../compile/tables';

/** The order of a list; `column` is empty for the id itself. */
export interface Sort {
  readonly name: string;
  readonly column: string;
  readonly descending: boolean;
  /** SQL type that a cursor's value is cast to. */
  readonly sqlType: string;
  readonly nullable: boolean;
  readonly isText: boolean;
  /** Whether an index has the order. */
  readonly isIndexed: boolean;
}

/** Where a page begins: after the row with this sort value and id. */
export interface Position {
  readonly value: string | null;
  readonly id: string;
  /** The value is only the beginning of a long text; the row of that id has the whole. */
  readonly isCut?: boolean;
  /** The number is none of the declared type: the column is older than the declaration, and wider. */
  readonly isWide?: boolean;
}

export interface ListQuery {
  readonly limit: number;
  readonly sort: Sort;
  readonly after: Position | undefined;
  /** How the matches are counted: all of them, or no further than {@link maxTotal}. */
  readonly total: 'exact' | 'capped' | undefined;
}

/** Matches that are counted at most where an exact number is not asked for: these many take milliseconds on any table. */
export const maxTotal = 10_000;

/** Rows of a page unless a request says otherwise. */
export const defaultLimit = 50;

/** Rows of a page at most. */
export const largestLimit = 1000;

/** The request of a list. */
export interface ListOptions {
  /** Rows: from 1 to {@link largestLimit}. */
  readonly limit?: number | undefined;
  /** Name of a field, with `-` before it for the other direction. */
  readonly sort?: string | undefined;
  /** The cursor of the page before. */
  readonly after?: string | undefined;
  readonly total?: ListQuery['total'];
}

/** Reads what depends on the type. @throws GantryError BAD_REQUEST naming the parameter. */
export function parseListQuery(
  type: ItemTypeDescriptor,
  { limit = defaultLimit, sort: order, after, total }: ListOptions,
): ListQuery {
  const sort = order === undefined ? byNewestId : parseSort(type, order);
  return { limit, sort, after: after === undefined ? undefined : parseCursor(after, sort), total };
}

/** Characters of a text in a cursor: the address of a request has to hold it. */
const longestInCursor = 500;

/** The opaque cursor of the page that follows the position. */
export function formatCursor(sort: Sort, { value, id }: Position): string {
  const parts =
    sort.isText && value !== null && value.length > longestInCursor
      ? [sortText(sort), value.slice(0, longestInCursor).replace(/[\uD800-\uDBFF]$/, ''), id, 'cut']
      : [sortText(sort), value, id];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const byNewestId: Sort = Object.freeze({
  name: 'id',
  column: '',
  descending: true,
  sqlType: 'bigint',
  nullable: false,
  isText: false,
  isIndexed: true,
});

function parseSort(type: ItemTypeDescriptor, text: string): Sort {
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  if (name === 'id') return { ...byNewestId, descending };
  const audit = auditSorts[name];
  if (audit !== undefined && Object.hasOwn(auditSorts, name)) {
    const known = { sqlType: 'timestamptz', nullable: false, isText: false, isIndexed: true } as const;
    return { name, column: audit, descending, ...known };
  }
  const field = sortableFields(type).get(name);
  if (field !== undefined) {
    const { isText } = field.kind;
    const isIndexed = hasOrderIndex(field);
    const sqlType = withoutLimits(field.columnType);
    return { name, column: field.column, descending, sqlType, nullable: true, isText, isIndexed };
  }
  const known = ['id', 'createdAt', 'updatedAt', ...sortableFields(type).keys()];
  throw invalidParameter(
    'sort',
    `Cannot sort by "${truncate(name)}". Known are ${known.join(', ')}, each also with - before it`,
    'NOT_AN_OPTION' satisfies DetailCode,
  );
}

/** The type without length and digits, which a column that is older than the declaration may exceed: a cast would cut the value. */
function withoutLimits(columnType: string): string {
  if (!/^(?:varchar|char|bpchar|decimal|numeric|time)/i.test(columnType)) return columnType;
  const bare = columnType.replace(/\(.*?\)/, '').trim();
  return /^char(?:acter)?$/i.test(bare) ? 'bpchar' : bare;
}

const limits: Readonly<Record<string, bigint>> = {
  SMALLINT: 2n ** 15n,
  INT2: 2n ** 15n,
  INTEGER: 2n ** 31n,
  INT: 2n ** 31n,
  INT4: 2n ** 31n,
  BIGINT: 2n ** 63n,
  INT8: 2n ** 63n,
};

function isBeyond(value: string | null, { sqlType }: Sort): boolean {
  const limit = limits[sqlType.toUpperCase()];
  if (value === null || limit === undefined || !(isNumeral(value) || /^(?:NaN|-?Infinity)$/.test(value))) return false;
  const isWhole = /^-?\d{1,19}$/.test(value);
  return !isWhole || BigInt(value) >= limit || BigInt(value) < -limit;
}

/** A field that is shown on some items only would show its values on the others by their order. */
const sortableFields: (type: ItemTypeDescriptor) => FieldsByName = onceFor((type) =>
  fieldsByName(
    [...searchableFields(type).values()].filter(
      ({ column, kind, shownOn }) => column !== '' && kind.isSortable && shownOn === undefined,
    ),
  ),
);

const auditSorts: Readonly<Record<string, string>> = { createdAt: 'created_at', updatedAt: 'updated_at' };

function sortText(sort: Sort): string {
  return `${sort.descending ? '-' : ''}${sort.name}`;
}

function parseCursor(text: string, sort: Sort): Position {
  const parts = decodeCursor(text);
  if (!Array.isArray(parts) || parts.length < 3) throw badCursor();
  const [sortedBy, value, id, ...rest] = parts as readonly unknown[];
  if (sortedBy !== sortText(sort)) {
    throw invalidParameter(
      'after',
      'The parameter after belongs to a list with another sort order. Start again without it',
    );
  }
  if (!isCursorValue(value) || typeof id !== 'string' || !readId(id).ok) throw badCursor();
  if (rest.length === 0) return isBeyond(value, sort) ? { value, id, isWide: true } : { value, id };
  if (rest.length > 1 || rest[0] !== 'cut' || !sort.isText || value === null) throw badCursor();
  return { value, id, isCut: true };
}

function isCursorValue(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && checkStorable(value).ok);
}

function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function badCursor(): GantryError {
  return invalidParameter(
    'after',
    'The parameter after is not a cursor of this list. Use meta.nextCursor of the previous page, or omit it',
  );
}

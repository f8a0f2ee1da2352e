import { quoteIdentifier } from '../../database/identifiers';
import type { ItemTypeDescriptor } from '../descriptor';
import type { ItemTypes, Referrer } from '../item-types';
import type { RunQuery } from '../reference-check';
import { labelText } from './row-json';

/** The items of a type that refer to an item through one field. */
export interface ReferrerCount {
  readonly typeCode: string;
  readonly typeName: string;
  readonly fieldName: string;
  readonly count: number;
  /** The first of them. */
  readonly items: readonly { readonly id: string; readonly label: string }[];
}

const mostNamed = 3;

/** Counts the items that refer to the given one and names the first ones, in one statement; only fields with at least one. */
export async function countReferrers(
  type: ItemTypeDescriptor,
  id: string,
  parts: { readonly types: ItemTypes; readonly query: RunQuery },
): Promise<readonly ReferrerCount[]> {
  const referrers = parts.types.referrers(type.code);
  if (referrers.length === 0) return [];
  const columns = referrers.flatMap((referrer) => [countSql(referrer), namesSql(referrer)]);
  const [row = []] = await parts.query({ sql: `SELECT ${columns.join(', ')}`, values: [id] });
  return referrers
    .map(({ type: owner, field }, index) => ({
      typeCode: owner.code,
      typeName: owner.displayName,
      fieldName: field.name,
      count: Number(row[index * 2]),
      items: readItems(row[index * 2 + 1]),
    }))
    .filter(({ count }) => count > 0);
}

function readItems(json: unknown): ReferrerCount['items'] {
  return typeof json === 'string' ? (JSON.parse(json) as ReferrerCount['items']) : [];
}

function countSql(referrer: Referrer): string {
  return `(SELECT count(*) ${fromReferring(referrer)})`;
}

function namesSql(referrer: Referrer): string {
  const { type, field } = referrer;
  const column = field.reference?.linkTable === undefined ? 'id' : 'item_id';
  const ids = `SELECT ${column} ${fromReferring(referrer)} ORDER BY ${column} LIMIT ${mostNamed}`;
  const named = `SELECT t.id::text AS id, left(${labelText(type, 't')}, 200) AS label FROM ${quoteIdentifier(type.table)} t`;
  return `(SELECT json_agg(row_to_json(named))::text FROM (${named} WHERE t.id IN (${ids}) ORDER BY t.id) named)`;
}

function fromReferring({ type, field }: Referrer): string {
  const linkTable = field.reference?.linkTable;
  const [table, column] = linkTable === undefined ? [type.table, field.column] : [linkTable, 'target_id'];
  return `FROM ${quoteIdentifier(table)} WHERE ${quoteIdentifier(column)} = $1::bigint`;
}

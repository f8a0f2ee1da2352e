import { quoteIdentifier } from '../../database/identifiers';
import type { ItemTypeDescriptor } from '../descriptor';
import type { ItemTypes, Referrer } from '../item-types';
import type { RunQuery } from '../reference-check';

/** How many items of a type refer to an item through one field. */
export interface ReferrerCount {
  readonly typeCode: string;
  readonly typeName: string;
  readonly fieldName: string;
  readonly count: number;
}

/** Counts the items that refer to the given one, in one statement; only fields with at least one. */
export async function countReferrers(
  type: ItemTypeDescriptor,
  id: string,
  parts: { readonly types: ItemTypes; readonly query: RunQuery },
): Promise<readonly ReferrerCount[]> {
  const referrers = parts.types.referrers(type.code);
  if (referrers.length === 0) return [];
  const [row = []] = await parts.query({ sql: `SELECT ${referrers.map(countSql).join(', ')}`, values: [id] });
  return referrers
    .map(({ type: owner, field }, index) => ({
      typeCode: owner.code,
      typeName: owner.displayName,
      fieldName: field.name,
      count: Number(row[index]),
    }))
    .filter(({ count }) => count > 0);
}

function countSql({ type, field }: Referrer): string {
  const linkTable = field.reference?.linkTable;
  const [table, column] = linkTable === undefined ? [type.table, field.column] : [linkTable, 'target_id'];
  return `(SELECT count(*) FROM ${quoteIdentifier(table)} WHERE ${quoteIdentifier(column)} = $1::bigint)`;
}

import { quoteIdentifier } from '../../database/identifiers';
import { type FieldDescriptor, type ItemTypeDescriptor, hidesItems } from '../compile/descriptor';
import type { ItemTypes, Referrer } from '../compile/item-types';
import type { RunQuery } from '../../database/prepared-query';
import { labelText } from './row-json';
import { rowsOf } from './rows';

/** The items of a type that refer to an item through one field. */
export interface FoundReferrers {
  readonly typeCode: string;
  readonly typeName: string;
  readonly fieldName: string;
  readonly fieldDisplayName: string;
  readonly count: number;
  /** The first of them. */
  readonly items: readonly { readonly id: string; readonly label: string }[];
}

const maxNamed = 3;

/**
 * Counts the items that refer to the given one and names the first ones, in one statement; only fields with at least one.
 * @param parts `maxCount`: no field is counted further
 */
export async function findReferrers(
  type: ItemTypeDescriptor,
  id: string,
  parts: { readonly types: ItemTypes; readonly query: RunQuery; readonly maxCount?: number },
): Promise<readonly FoundReferrers[]> {
  const referrers = parts.types.referrers(type.code);
  if (referrers.length === 0) return [];
  const columns = referrers.map((referrer) => referringSql(referrer, parts.maxCount));
  const [row = []] = await parts.query({ sql: `SELECT ${columns.join(', ')}`, values: [id] });
  return referrers
    .map(({ type: owner, field }, index) => ({
      typeCode: owner.code,
      typeName: owner.displayName,
      fieldName: field.name,
      fieldDisplayName: field.displayName,
      ...(JSON.parse(row[index] as string) as Pick<FoundReferrers, 'count' | 'items'>),
    }))
    .filter(({ count }) => count > 0);
}

/** `{ "count", "items": [{ "id", "label" }] }` as text. */
function referringSql({ type, field }: Referrer, maxCount: number | undefined): string {
  const linkTable = field.reference?.linkTable;
  const id = linkTable === undefined ? 'id' : 'item_id';
  const referring =
    linkTable === undefined
      ? `FROM ${rowsOf(type)} t WHERE t.${quoteIdentifier(field.column)} = $1::bigint${shown(field, ' AND ')}`
      : `FROM ${quoteIdentifier(linkTable)} WHERE target_id = $1::bigint${shownItems(type, field)}`;
  const first = `SELECT ${id} ${referring} ORDER BY ${id} LIMIT ${maxNamed}`;
  const named =
    `SELECT t.id::text AS id, left(${labelText(type, 't')}, 200) AS label` +
    ` FROM ${rowsOf(type)} t WHERE t.id IN (${first}) ORDER BY t.id`;
  const items = `(SELECT coalesce(json_agg(row_to_json(named)), '[]') FROM (${named}) named)`;
  const counted = maxCount === undefined ? referring : `FROM (SELECT 1 ${referring} LIMIT ${maxCount}) counted`;
  return `json_build_object('count', (SELECT count(*) ${counted}), 'items', ${items})::text`;
}

function shown({ shownOn }: FieldDescriptor, before: string): string {
  return shownOn === undefined ? '' : `${before}${shownOn}`;
}

/** Of the items behind links, those that the policy shows with the field. */
function shownItems(type: ItemTypeDescriptor, field: FieldDescriptor): string {
  if (!hidesItems(type) && field.shownOn === undefined) return '';
  return ` AND item_id IN (SELECT t.id FROM ${rowsOf(type)} t${shown(field, ' WHERE ')})`;
}

import type { FieldReference } from '@gantry/plugin-api';
import { quoteIdentifier, type RunQuery } from '@gantry/core-database';
import { type FieldDescriptor, type ItemTypeDescriptor, hidesItems } from '../compile/descriptor';
import type { ItemTypes, Referrer } from '../compile/item-types';
import { labelText } from './row-json';
import { rowsOf } from './rows';

/** The items of a type that refer to an item through one field. */
export interface FoundReferrers {
  readonly typeCode: string;
  readonly typeName: string;
  readonly fieldName: string;
  readonly fieldDisplayName: string;
  readonly onDelete?: FieldReference['onDelete'];
  readonly count: number;
  /** The first of them. */
  readonly items: readonly { readonly id: string; readonly label: string }[];
}

/** Which of the items that refer to another one are named: the first ones after an id. */
export interface NamedPart {
  readonly after: string | undefined;
  readonly limit: number;
}

export interface ReferrersOptions {
  /** No field is counted further. */
  readonly maxCount?: number;
  /** Fields that are meant; all unless given. */
  readonly isMeant?: (referrer: Referrer) => boolean;
  /** The first three unless given. */
  readonly named?: NamedPart | undefined;
}

interface FindReferrersOptions extends ReferrersOptions {
  readonly types: ItemTypes;
  readonly query: RunQuery;
}

/** Counts the items that refer to the given one and names some, in one statement; only fields with at least one. */
export async function findReferrers(
  type: ItemTypeDescriptor,
  id: string,
  parts: FindReferrersOptions,
): Promise<readonly FoundReferrers[]> {
  const { isMeant = () => true } = parts;
  const referrers = parts.types.referrers(type.code).filter(isMeant);
  if (referrers.length === 0) return [];
  const columns = referrers.map((referrer) => referringSql(referrer, parts));
  const { named } = parts;
  const page = named === undefined ? [] : [named.limit, ...(named.after === undefined ? [] : [named.after])];
  const [row = []] = await parts.query({ sql: `SELECT ${columns.join(', ')}`, values: [id, ...page] });
  return referrers
    .map(({ type: owner, field }, index) => ({
      typeCode: owner.code,
      typeName: owner.displayName,
      fieldName: field.name,
      fieldDisplayName: field.displayName,
      ...(field.reference?.onDelete === undefined ? {} : { onDelete: field.reference.onDelete }),
      ...(JSON.parse(row[index] as string) as Pick<FoundReferrers, 'count' | 'items'>),
    }))
    .filter(({ count }) => count > 0);
}

const maxNamed = 3;

/** `{ "count", "items": [{ "id", "label" }] }` as text. */
function referringSql({ type, field }: Referrer, { maxCount, named: part }: FindReferrersOptions): string {
  const linkTable = field.reference?.linkTable;
  const id = linkTable === undefined ? 'id' : 'item_id';
  const referring =
    linkTable === undefined
      ? `FROM ${rowsOf(type)} t WHERE t.${quoteIdentifier(field.column)} = $1::bigint${shown(field, ' AND ')}`
      : `FROM ${quoteIdentifier(linkTable)} WHERE ${linkColumnOf(field)} = $1::bigint${shownItems(type, field)}`;
  const after = part?.after === undefined ? '' : ` AND ${id} > $3::bigint`;
  const limit = part === undefined ? maxNamed : '$2::integer';
  const first = `SELECT ${id} ${referring}${after} ORDER BY ${id} LIMIT ${limit}`;
  const named =
    `SELECT t.id::text AS id, left(${labelText(type, 't')}, 200) AS label` +
    ` FROM ${rowsOf(type)} t WHERE t.id IN (${first}) ORDER BY t.id`;
  const items = `(SELECT coalesce(json_agg(row_to_json(named)), '[]') FROM (${named}) named)`;
  const counted = maxCount === undefined ? referring : `FROM (SELECT 1 ${referring} LIMIT ${maxCount}) counted`;
  return `json_build_object('count', (SELECT count(*) ${counted}), 'items', ${items})::text`;
}

/** Column of a link table that has the targets. */
export function linkColumnOf({ reference }: FieldDescriptor): string {
  return quoteIdentifier(reference?.linkColumn ?? 'target_id');
}

function shown({ shownOn }: FieldDescriptor, before: string): string {
  return shownOn === undefined ? '' : `${before}${shownOn}`;
}

/** Of the items behind links, those that the policy shows with the field. */
function shownItems(type: ItemTypeDescriptor, field: FieldDescriptor): string {
  if (!hidesItems(type) && field.shownOn === undefined) return '';
  return ` AND item_id IN (SELECT t.id FROM ${rowsOf(type)} t${shown(field, ' WHERE ')})`;
}

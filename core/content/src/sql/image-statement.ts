import { hasAtMostBytes, quoteIdentifier } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { isImage, maxImageAddressBytes } from '../compile/tables';
import { rowsOf } from './rows';

/** A column of addresses of images, and the rows that are looked at. */
export interface ImageColumn {
  readonly table: string;
  readonly column: string;
  /** SQL type, in any spelling. */
  readonly type: string;
  /** The FROM item, with the alias `t`. */
  readonly rows: string;
  /** SQL condition over `t`. */
  readonly condition?: string | undefined;
}

/** The IMAGE fields of the types, on the items on which their policy shows them. */
export function imageColumnsOf(types: readonly ItemTypeDescriptor[]): readonly ImageColumn[] {
  return types.flatMap((type) =>
    type.fields.filter(isImage).map(({ column, columnType, shownOn }) => ({
      ...{ table: type.table, column, type: columnType },
      ...{ rows: rowsOf(type), condition: shownOn },
    })),
  );
}

/** Parameters: addresses as an array. One row, of whether one of the columns has one of them; ends at the first that it finds. */
export function imageStatement(columns: readonly ImageColumn[]): string {
  return `SELECT EXISTS (${columns.map(holders).join(' UNION ALL ')})`;
}

/** Parameters: ids as an array. Rows of [id, address], of the first image of each item that has one. */
export function firstImageStatement(type: ItemTypeDescriptor): string | undefined {
  const images = type.fields.filter(isImage).map(({ column, shownOn }) => {
    const value = `nullif(t.${quoteIdentifier(column)}::text, '')`;
    return shownOn === undefined ? value : `CASE WHEN ${shownOn} THEN ${value} END`;
  });
  if (images.length === 0) return undefined;
  return `SELECT id, image FROM (SELECT t.id::text AS id, coalesce(${images.join(', ')}) AS image FROM ${rowsOf(type)} t WHERE t.id = ANY ($1::bigint[])) i WHERE image IS NOT NULL`;
}

function holders({ column, type, rows, condition }: ImageColumn): string {
  const value = `t.${quoteIdentifier(column)}`;
  const conditions = [
    ...equalities(value, type),
    hasAtMostBytes(value, maxImageAddressBytes),
    ...(condition === undefined ? [] : [`(${condition})`]),
  ];
  return `SELECT 1 FROM ${rows} t WHERE ${conditions.join(' AND ')}`;
}

/** Compares as text, and in the type of the column where its index needs that. */
function equalities(value: string, type: string): readonly string[] {
  const exact = `${value}::text = ANY ($1::text[])`;
  if (/^citext\b/i.test(type)) return [`${value} = ANY ($1::text[]::citext[])`, exact];
  if (/^(?:char|character|bpchar)\b(?! varying)/i.test(type)) return [`${value} = ANY ($1::text[]::bpchar[])`, exact];
  return [exact];
}

import type { Column, ItemMetadata } from '@gantry/contracts';
import { isLabelField } from '../../api/label';
import { imageKind } from '../kinds/image';
import { numberKind } from '../kinds/number';
import { kindOf } from '../kinds/registry';

/** A column of the table. `type` is a field type, `ID` or `TIME`. */
export type TableColumn = Pick<Column, 'name' | 'displayName'> & {
  readonly type: string;
  /** Of a column of numbers: how many digits after the point are shown. */
  readonly fraction?: number;
};

/** The type of a column of times. */
export const timeType = 'TIMESTAMP';

export const idColumn: TableColumn = { name: 'id', displayName: 'Id', type: 'ID' };

/** Every column that can be shown between the identifier and the actions: those of the type first, then its other fields. */
export function availableColumns(metadata: ItemMetadata): readonly TableColumn[] {
  const declared = metadata.columnShown.toSorted((left, right) => left.order - right.order);
  const others = metadata.fields.filter(({ name }) => !declared.some((column) => column.name === name));
  return [
    ...declared.map(({ name, displayName, type }) => ({ name, displayName, type })),
    ...others.map(({ name, displayName, type }) => ({ name, displayName, type })),
    { name: 'createdAt', displayName: 'Created', type: timeType },
    { name: 'updatedAt', displayName: 'Changed', type: timeType },
    { name: 'version', displayName: 'Version', type: numberKind.type },
  ];
}

/** The columns of the type in order, then the time of creation (specification, section 4.5). */
export function defaultColumns(metadata: ItemMetadata): readonly string[] {
  return [
    ...availableColumns(metadata)
      .slice(0, metadata.columnShown.length)
      .map(({ name }) => name),
    'createdAt',
  ];
}

/** The columns of these names, and the names that the type does not have (any more). */
export function resolveColumns(
  metadata: ItemMetadata,
  names: readonly string[],
): { readonly columns: readonly TableColumn[]; readonly missing: readonly string[] } {
  const available = availableColumns(metadata);
  const found = [...new Set(names)].map((name) => available.find((column) => column.name === name) ?? name);
  return {
    columns: found.filter((column) => typeof column !== 'string'),
    missing: found.filter((column) => typeof column === 'string'),
  };
}

/**
 * The column that names an item and leads to it: the first of those in sight whose value the item's label can be
 * (specification, section 4.5), otherwise the id.
 * @param isTaken whether a plugin draws the cells of the column
 */
export function linkColumnOf(columns: readonly TableColumn[], isTaken: (column: TableColumn) => boolean): string {
  const label = columns.find(({ name, type }) => isLabelField(name) && kindOf(type).isName);
  return label === undefined || isTaken(label) ? idColumn.name : label.name;
}

/** The field whose image is shown beside the label: the type's first one, unless the table has a column of images. */
export function labelImage({ fields }: ItemMetadata, columns: readonly TableColumn[]): string | undefined {
  if (columns.some(({ type }) => type === imageKind.type)) return undefined;
  return fields.find(({ type }) => type === imageKind.type)?.name;
}

/** The platform sorts by id, times and searchable fields; by a reference it would sort by the target's id, which helps nobody. */
export function isSortable(metadata: ItemMetadata, name: string): boolean {
  return (
    ['id', 'createdAt', 'updatedAt'].includes(name) ||
    metadata.searchable.some((field) => field.name === name && kindOf(field.type).isSortable)
  );
}

import type { Column, FormField, ItemMetadata } from '@gantry/contracts';
import { isLabelField } from '../../../api/label';
import { numberType } from '../../kinds/number';
import { kindOf } from '../../kinds/registry';

/** A column of the table. `type` is a field type, `ID` or `TIME`. */
export type TableColumn = Pick<Column, 'name' | 'displayName'> & {
  readonly type: string;
  /** Of a column of numbers: how many digits after the point are shown. */
  readonly fraction?: number;
};

/** The type of a column of times. */
export const timeType = 'TIMESTAMP';

export const idColumn: TableColumn = { name: 'id', displayName: 'Id', type: 'ID' };

/** Columns of every item. */
const ownColumns: readonly TableColumn[] = [
  { name: 'createdAt', displayName: 'Created', type: timeType },
  { name: 'updatedAt', displayName: 'Changed', type: timeType },
  { name: 'version', displayName: 'Version', type: numberType },
];

/** Every column that can be shown: those of the type first, then its other fields, then what the platform knows of every item. */
export function availableColumns(metadata: ItemMetadata): readonly TableColumn[] {
  const declared = metadata.columnShown.toSorted((left, right) => left.order - right.order);
  const others = metadata.fields.filter(({ name }) => !declared.some((column) => column.name === name));
  return [
    ...[...declared, ...others].map(({ name, displayName, type }) => ({ name, displayName, type })),
    ...ownColumns,
  ];
}

/**
 * The columns of the type in order, then the time of creation (specification, section 4.5). The image that is beside the label has
 * no separate column.
 */
export function defaultColumns(metadata: ItemMetadata): readonly string[] {
  const declared = availableColumns(metadata).slice(0, metadata.columnShown.length);
  const hasLabel = declared.some((column) => isLabelColumn(metadata, column));
  const image = hasLabel ? labelImage(metadata, []) : undefined;
  return [...declared.map(({ name }) => name).filter((name) => name !== image), 'createdAt'];
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
 * The column that names an item and leads to it: that of the heading or the label that the type declares, or else the first of those
 * in sight whose value the item's label can be (specification, section 4.5), otherwise the id.
 * @param isTaken whether a plugin draws the cells of the column
 */
export function linkColumnOf(
  metadata: ItemMetadata,
  columns: readonly TableColumn[],
  isTaken: (column: TableColumn) => boolean,
): string {
  const inSight = (wanted: string | undefined) => columns.find(({ name }) => name === wanted);
  const label =
    inSight(metadata.heading) ??
    inSight(metadata.labelField) ??
    columns.find(({ name, type }) => isLabelField(name) && kindOf(type).isName);
  return label === undefined || isTaken(label) ? idColumn.name : label.name;
}

/** The columns in the order of the table: what names an item first, and its id last. */
export function inOrder(columns: readonly TableColumn[], linkColumn: string): readonly TableColumn[] {
  const all = [...columns, idColumn];
  return [...all.filter(({ name }) => name === linkColumn), ...all.filter(({ name }) => name !== linkColumn)];
}

function isLabelColumn({ heading, labelField }: ItemMetadata, { name, type }: TableColumn): boolean {
  return name === heading || name === labelField || (isLabelField(name) && kindOf(type).isName);
}

/** The field whose image is shown beside the label: the type's first one, unless the table has a column of images. */
export function labelImage({ fields }: ItemMetadata, columns: readonly TableColumn[]): string | undefined {
  if (columns.some(({ type }) => kindOf(type).isImage)) return undefined;
  return fields.find(({ type }) => kindOf(type).isImage)?.name;
}

/** A column whose values are states: of a field that declares colours for its options. */
export function stateField({ fields }: ItemMetadata, { name }: TableColumn): FormField | undefined {
  return fields.find((field) => field.name === name && field.optionColors !== undefined);
}

/** Columns of the platform are the first to be left out where there is no room. */
export function isOwnColumn({ name }: TableColumn): boolean {
  return name === idColumn.name || ownColumns.some((column) => column.name === name);
}

/** The platform sorts by id, times and searchable fields; by a reference it would sort by the target's id, which helps nobody. */
export function isSortable(metadata: ItemMetadata, name: string): boolean {
  return (
    ['id', 'createdAt', 'updatedAt'].includes(name) ||
    metadata.searchable.some((field) => field.name === name && kindOf(field.type).isSortable)
  );
}

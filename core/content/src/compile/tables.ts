import {
  identifier,
  type ChangeSpec,
  type ColumnSpec,
  type EarlierFieldNames,
  type ForeignKeySpec,
  type IndexSpec,
  type SearchSpec,
  type TableSpec,
} from '@gantry/core-database';
import { type FieldDescriptor, type ItemTypeDescriptor, generatedBy, isLinked } from './descriptor';
import { authorFields, writtenFields } from './author-fields';
import { codeFieldOf, labelFieldsOf } from './label-fields';
import { linkTablesOf, namesOf, tablesOfLinks, type TableOf } from './links-table';

/** A column or index that a type's author declared with plain sequelize-typescript, in addition to the fields. */
export interface PlainColumns {
  readonly columns: readonly ColumnSpec[];
  readonly indexes: readonly {
    readonly columns: readonly string[];
    readonly unique: boolean;
    readonly name?: string;
  }[];
}

/** Whether the label of an item of the type is its code. */
export type HasCodeAsLabel = (typeCode: string) => boolean;

/**
 * The tables of a type: its own, and a link table for every MULTIPLE reference.
 * Every text that is searchable or part of the label gets a trigram index (CONTAINS, and `q` of lists, which is answered without
 * reading the table only if every label field has one). A searchable text that is short enough gets an order index, too;
 * numbers, references and audit timestamps an order index. All order indexes end with the id, as keyset paging needs.
 */
export function tablesOf(
  type: ItemTypeDescriptor,
  tableOf: TableOf,
  plain: PlainColumns,
  hasCodeAsLabel: HasCodeAsLabel = () => false,
): readonly TableSpec[] {
  const own = partOf(type, undefined);
  const changes = changesOf(own, tableOf, hasCodeAsLabel);
  return [{ ...itemTable(own, tableOf, plain), changes, ...earlierOf(own) }, ...tablesOfLinks(own, tableOf, changes)];
}

/** The extra columns of a plugin in the table of a type of another one, and the tables of their links. */
export function extraTablesOf(
  type: ItemTypeDescriptor,
  plugin: string,
  tableOf: TableOf,
  hasCodeAsLabel: HasCodeAsLabel,
): readonly TableSpec[] {
  const part = partOf(type, plugin);
  if (part.fields.length === 0) return [];
  const fields = part.fields.filter((field) => field.column !== '');
  const changes = changesOf({ ...part, hasAuthors: false }, tableOf, hasCodeAsLabel);
  const { earlier } = earlierOf({ ...part, earlierCodes: [] });
  const extra: TableSpec = {
    ...{ plugin, name: type.table, isExtra: true, primaryKey: [] },
    columns: fields.map((field) => ({ ...columnOf(type, field), nullable: true })),
    indexes: [
      ...fields.flatMap((field) => indexesOf(type, field)),
      ...part.unique.map((names) => uniqueIndex(type, names)),
    ],
    foreignKeys: fields.flatMap((field) => foreignKeyOf(type.table, field, tableOf)),
    changes,
    ...(earlier === undefined ? {} : { earlier }),
  };
  return [extra, ...tablesOfLinks(part, tableOf, changes)];
}

/** The type with the fields of one plugin: extra ones, or its own. */
function partOf(type: ItemTypeDescriptor, plugin: string | undefined): ItemTypeDescriptor {
  const extras = new Map(
    type.fields.flatMap((field) => (field.plugin === undefined ? [] : [[field.name, field.plugin]])),
  );
  if (extras.size === 0 && plugin === undefined) return type;
  const ownerOf = (names: readonly string[]) => names.map((name) => extras.get(name)).find((id) => id !== undefined);
  return {
    ...type,
    fields: type.fields.filter((field) => field.plugin === plugin),
    unique: type.unique.filter((names) => ownerOf(names) === plugin),
  };
}

/** The table names and the names that grants, history and webhooks know. */
function earlierOf(type: ItemTypeDescriptor): Pick<TableSpec, 'renamedFrom' | 'earlier'> {
  const { code, plugin, earlierCodes = [] } = type;
  const fields = type.fields
    .filter(({ earlier }) => earlier !== undefined)
    .map((field) => ({ name: field.name, earlier: earlierNamesOf(type, field) }));
  if (earlierCodes.length === 0 && fields.length === 0) return {};
  return {
    renamedFrom: earlierCodes.map((earlier) => identifier(plugin, earlier)),
    earlier: { code, earlierCodes, fields },
  };
}

function earlierNamesOf(type: ItemTypeDescriptor, field: FieldDescriptor): EarlierFieldNames['earlier'] {
  return (field.earlier ?? []).map(({ name, column }) => ({
    name,
    storedIn: isLinked(field) ? linkTablesOf(type, name) : [column],
  }));
}

/** Declared fields only: what else the table has is private to its plugin. */
function changesOf(type: ItemTypeDescriptor, tableOf: TableOf, hasCodeAsLabel: HasCodeAsLabel): ChangeSpec {
  const unversioned = (field: FieldDescriptor): boolean =>
    generatedBy(field) !== undefined || field.maintained === true;
  const generated = type.fields.filter(unversioned).map(({ column }) => column);
  return {
    ...(generated.length === 0 ? {} : { generated }),
    fields: writtenFields(type)
      .filter(({ computed, maintained }) => computed === undefined && maintained === undefined)
      .map(({ name, column, kind, reference }) => ({
        name,
        column,
        ...(kind.isSortable ? {} : { isComparedAsText: true as const }),
        ...(reference?.linkTable === undefined ? {} : { linkTable: reference.linkTable }),
        ...(reference === undefined || reference.target === ''
          ? {}
          : { target: { table: tableOf(reference.target), isCodeFirst: hasCodeAsLabel(reference.target) } }),
      })),
  };
}

/** Whether the label of an item (specification 4.5) is its code, because that field comes first. */
export function isCodeLabel(type: ItemTypeDescriptor): boolean {
  const code = codeFieldOf(type);
  return code !== undefined && labelFieldsOf(type)[0] === code;
}

const baseColumns: readonly ColumnSpec[] = [
  { name: 'id', type: 'BIGINT', nullable: false, identity: true },
  { name: 'created_at', type: 'TIMESTAMPTZ(3)', nullable: false, default: 'now()' },
  { name: 'updated_at', type: 'TIMESTAMPTZ(3)', nullable: false, default: 'now()' },
  { name: 'version', type: 'INTEGER', nullable: false, default: '1' },
];

/** The number of a row in lists, next to the columns of its item. No field has it. */
export const listColumn = 'gantry$number';

/** Longest text with an order index: an entry has at most 2,704 bytes, a character at most four. */
const longestOrdered = 500;

function itemTable(type: ItemTypeDescriptor, tableOf: TableOf, plain: PlainColumns): TableSpec {
  const stored = type.fields.filter((field) => field.column !== '');
  return {
    plugin: type.plugin,
    name: type.table,
    columns: [
      ...baseColumns,
      ...[...authorFields(type), ...stored].map((field) => columnOf(type, field)),
      ...plain.columns,
    ],
    primaryKey: ['id'],
    indexes: [
      orderIndex(type.table, 'created_at'),
      orderIndex(type.table, 'updated_at'),
      // Grants may be about the items that a user has created.
      ...(type.hasAuthors ? [orderIndex(type.table, 'created_by')] : []),
      ...stored.flatMap((field) => indexesOf(type, field)),
      ...type.unique.map((names) => uniqueIndex(type, names)),
      ...type.indexes.map((names) => declaredIndex(type, names)),
      ...plain.indexes.map((index) => plainIndex(type.table, index)),
    ],
    foreignKeys: stored.flatMap((field) => foreignKeyOf(type.table, field, tableOf)),
    ...(type.singleton === undefined ? {} : { singleton: true as const }),
    search: searchOf(type),
  };
}

/** An item is looked up by the first label field that is named a code; the other ones are its label. */
function searchOf(type: ItemTypeDescriptor): SearchSpec {
  const code = codeFieldOf(type);
  const label = labelFieldsOf(type).filter((field) => field !== code);
  return { label: label.map(({ column }) => column), ...(code === undefined ? {} : { code: code.column }) };
}

function columnOf(type: ItemTypeDescriptor, field: FieldDescriptor): ColumnSpec {
  return {
    name: field.column,
    type: field.columnType,
    nullable: !field.required,
    ...(field.default === undefined ? {} : { default: defaultExpression(field.default) }),
    ...(field.earlier === undefined ? {} : { renamedFrom: field.earlier.map(({ column }) => column) }),
    ...(field.reference === undefined
      ? {}
      : { linkTables: namesOf(field).flatMap((name) => linkTablesOf(type, name)) }),
    ...generatedOf(type, field),
  };
}

function generatedOf({ fields }: ItemTypeDescriptor, field: FieldDescriptor): Pick<ColumnSpec, 'generated'> {
  const expression = generatedBy(field);
  if (expression === undefined) return {};
  const from = fields
    .filter(({ name }) => field.computed?.from.includes(name))
    .map(({ column, columnType }) => ({ name: column, type: columnType }));
  return { generated: { expression, from } };
}

/** A value as the default of a column. */
export function defaultExpression(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function indexesOf(type: ItemTypeDescriptor, field: FieldDescriptor): readonly IndexSpec[] {
  const { table } = type;
  if (isImage(field)) return [imageIndex(table, field.column)];
  if (field.searchable && field.kind.index === 'members') {
    // It has an entry of a few bytes for each member, however long the texts are.
    return [ginIndex(identifier(table, field.column, 'members', 'idx'), field.column, 'jsonb_path_ops')];
  }
  const order = hasOrderIndex(field) ? [orderIndex(table, field.column)] : [];
  if (!hasTrigramIndex(field) && !isLabelText(type, field)) return order;
  return [ginIndex(identifier(table, field.column, 'trgm'), field.column, 'gin_trgm_ops'), ...order];
}

function isLabelText({ labelFields }: ItemTypeDescriptor, { name, kind }: FieldDescriptor): boolean {
  return kind.index === 'trigram' && labelFields.includes(name);
}

/** Whether the values of the field are addresses of images, which {@link imageIndex} finds. */
export function isImage({ kind, column }: Pick<FieldDescriptor, 'kind' | 'column'>): boolean {
  return kind.isFileAddress && column !== '';
}

/** Longest address of an image by which items are found. Those of images on the platform have about 80 bytes. */
export const maxImageAddressBytes = 1024;

/** Who may read an image is found by the items that have its address. */
function imageIndex(table: string, column: string): IndexSpec {
  return {
    name: identifier(table, column, 'equal', 'idx'),
    columns: [column],
    unique: false,
    method: 'btree',
    maxBytes: maxImageAddressBytes,
  };
}

/** Items are found by parts of the values of a column. */
function ginIndex(name: string, column: string, operatorClass: string): IndexSpec {
  return { name, columns: [column], unique: false, method: 'gin', operatorClass };
}

/** Whether lists can be sorted by the field through an index. */
export function hasOrderIndex(field: FieldDescriptor): boolean {
  const { index } = field.kind;
  if (!field.searchable && field.reference === undefined) return false;
  // A list of options is as long as there are options, which an index may not hold.
  if (index === 'order' || (field.options !== undefined && field.multiple !== true)) return true;
  return index === 'trigram' && (field.maxLength ?? Infinity) <= longestOrdered;
}

/** Whether CONTAINS is answered by an index. */
export function hasTrigramIndex(field: FieldDescriptor): boolean {
  return field.searchable && field.kind.index === 'trigram' && field.options === undefined;
}

function orderIndex(table: string, column: string): IndexSpec {
  return { name: identifier(table, column, 'idx'), columns: [column, 'id'], unique: false, method: 'btree' };
}

function uniqueIndex(type: ItemTypeDescriptor, names: readonly string[]): IndexSpec {
  return { name: uniqueIndexName(type, names), columns: columnsOf(type, names), unique: true, method: 'btree' };
}

function declaredIndex(type: ItemTypeDescriptor, names: readonly string[]): IndexSpec {
  const columns = columnsOf(type, names);
  const name = identifier(type.table, ...columns, 'list', 'idx');
  return { name, columns: [...columns, 'id'], unique: false, method: 'btree' };
}

function columnsOf(type: ItemTypeDescriptor, names: readonly string[]): readonly string[] {
  return names.map((name) => type.fields.find((field) => field.name === name)?.column ?? name);
}

/** The name by which a unique violation is recognised. */
export function uniqueIndexName(type: ItemTypeDescriptor, names: readonly string[]): string {
  return identifier(type.table, ...names.map((name) => name.toLowerCase()), 'key');
}

function plainIndex(table: string, index: PlainColumns['indexes'][number]): IndexSpec {
  return {
    ...index,
    name: plainIndexName(table, index),
    method: 'btree',
  };
}

/** The name of an index that the author declared with plain sequelize-typescript. */
export function plainIndexName(table: string, index: PlainColumns['indexes'][number]): string {
  return index.name ?? identifier(table, ...index.columns, index.unique ? 'key' : 'idx');
}

function foreignKeyOf(table: string, field: FieldDescriptor, tableOf: TableOf): readonly ForeignKeySpec[] {
  if (field.reference === undefined) return [];
  return [
    {
      name: identifier(table, field.column, 'fkey'),
      column: field.column,
      referencedTable: tableOf(field.reference.target),
      onDelete: 'RESTRICT',
    },
  ];
}

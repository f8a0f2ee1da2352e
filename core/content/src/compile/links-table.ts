import {
  identifier,
  quoteIdentifier,
  snakeCase,
  type ChangedField,
  type ChangeSpec,
  type ForeignKeySpec,
  type TableSpec,
} from '@gantry/core-database';
import { linkColumn, linksTable } from '../kinds/links';
import { referenceColumn } from '../kinds/reference';
import { isLinked, type FieldDescriptor, type ItemTypeDescriptor } from './descriptor';

/** The table of a type by its code. */
export type TableOf = (typeCode: string) => string;

/** The tables of the links of a type's fields. */
export function tablesOfLinks(type: ItemTypeDescriptor, tableOf: TableOf, changes: ChangeSpec): readonly TableSpec[] {
  return [
    ...type.fields.filter(isLinked).map((field) => linkTable(type, field, tableOf, changes)),
    ...type.fields.flatMap((field) => linksWithin(type, field, tableOf)),
  ];
}

/** Every name that a link table can have had: of each table of its type, for each name of its field. */
function earlierLinkTables(type: ItemTypeDescriptor, field: FieldDescriptor): Pick<TableSpec, 'renamedFrom'> {
  const [, ...earlier] = namesOf(field).flatMap((name) => linkTablesOf(type, name));
  return earlier.length === 0 ? {} : { renamedFrom: earlier };
}

/** The name of today first. */
export function namesOf({ name, earlier = [] }: FieldDescriptor): readonly string[] {
  return [name, ...earlier.map((one) => one.name)];
}

/** The link tables of a field, of the type as it is called and as it was. */
export function linkTablesOf(
  { earlierCodes = [], plugin, table }: ItemTypeDescriptor,
  name: string,
): readonly string[] {
  const tables = [table, ...earlierCodes.map((code) => identifier(plugin, code))];
  return tables.map((one) => identifier(one, snakeCase(name)));
}

function linkTable(
  type: ItemTypeDescriptor,
  field: FieldDescriptor,
  tableOf: TableOf,
  { fields }: ChangeSpec,
): TableSpec {
  const name = field.reference?.linkTable ?? '';
  const { target } = fields.find((changed) => changed.name === field.name) ?? ({} as Partial<ChangedField>);
  return {
    plugin: field.plugin ?? type.plugin,
    name,
    ...earlierLinkTables(type, field),
    links: {
      itemTable: type.table,
      name: field.name,
      itemColumns: namesOf(field).map(referenceColumn),
      ...(target === undefined ? {} : { target }),
    },
    columns: [
      { name: 'item_id', type: 'BIGINT', nullable: false },
      { name: 'target_id', type: 'BIGINT', nullable: false },
      { name: 'position', type: 'INTEGER', nullable: false },
    ],
    primaryKey: ['item_id', 'target_id'],
    indexes: [
      { name: identifier(name, 'target', 'idx'), columns: ['target_id', 'item_id'], unique: false, method: 'btree' },
    ],
    foreignKeys: [
      { name: identifier(name, 'item', 'fkey'), column: 'item_id', referencedTable: type.table, onDelete: 'CASCADE' },
      {
        name: identifier(name, 'target', 'fkey'),
        column: 'target_id',
        referencedTable: tableOf(field.reference?.target ?? ''),
        onDelete: 'RESTRICT',
      },
    ],
  };
}

/** The table of the links within the values of a field, which may be to items of several types. */
function linksWithin(type: ItemTypeDescriptor, field: FieldDescriptor, tableOf: TableOf): readonly TableSpec[] {
  const { links, column, kind } = field;
  if (links === undefined || kind.links === undefined) return [];
  const { table: name } = links;
  const targets = links.targets.map(({ target, earlierCodes, ...own }) => ({
    column: own.column,
    codes: [target, ...earlierCodes],
    table: tableOf(target),
  }));
  const quoted = quoteIdentifier(column);
  const sql = (row: string): string => kind.links?.sql(`${row}.${quoted}`) ?? 'NULL';
  return [
    {
      plugin: field.plugin ?? type.plugin,
      name,
      ...earlierTables(fieldNamesOf(type, field).map(([table, one]) => linksTable(table, one))),
      itemLinks: {
        itemTable: type.table,
        column,
        ...{ ofNew: sql('NEW'), ofOld: sql('OLD'), ofRow: sql('i') },
        targets,
      },
      columns: [
        { name: 'item_id', type: 'BIGINT', nullable: false },
        { name: 'position', type: 'INTEGER', nullable: false },
        ...links.targets.map(({ column: to, earlierCodes }) => ({
          ...{ name: to, type: 'BIGINT', nullable: true },
          ...(earlierCodes.length === 0 ? {} : { renamedFrom: earlierCodes.map(linkColumn) }),
        })),
      ],
      primaryKey: ['item_id', 'position'],
      indexes: targets.map((to) => ({
        name: identifier(name, to.column, 'idx'),
        columns: [to.column, 'item_id'],
        ...{ unique: false, method: 'btree' as const },
      })),
      foreignKeys: [
        { name: identifier(name, 'item', 'fkey'), column: 'item_id', referencedTable: type.table, onDelete: 'CASCADE' },
        ...targets.map((to): ForeignKeySpec => ({
          name: identifier(name, to.column, 'fkey'),
          column: to.column,
          referencedTable: to.table,
          onDelete: 'RESTRICT',
        })),
      ],
    },
  ];
}

/** Each table of the type with each name of the field, as they are and as they were; those of today first. */
function fieldNamesOf(
  { earlierCodes = [], plugin, table }: ItemTypeDescriptor,
  { name, earlier = [] }: FieldDescriptor,
): readonly (readonly [table: string, field: string])[] {
  const tables = [table, ...earlierCodes.map((code) => identifier(plugin, code))];
  return [name, ...earlier.map((one) => one.name)].flatMap((field) => tables.map((one) => [one, field] as const));
}

function earlierTables([, ...earlier]: readonly string[]): Pick<TableSpec, 'renamedFrom'> {
  return earlier.length === 0 ? {} : { renamedFrom: earlier };
}

import { identifier, quoteIdentifier, type ForeignKeySpec, type TableSpec } from '@gantry/core-database';
import { linkColumn, linksTable } from '../kinds/links';
import type { FieldDescriptor, ItemTypeDescriptor } from './descriptor';

/** The table of the links within the values of a field, which may be to items of several types. */
export function linksWithin(
  type: ItemTypeDescriptor,
  field: FieldDescriptor,
  tableOf: (typeCode: string) => string,
): readonly TableSpec[] {
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
      plugin: type.plugin,
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

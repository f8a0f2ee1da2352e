import { sqlTypeOf } from './column-type';
import { identifier, snakeCase } from '@gantry/core-database';
import type { CompiledField, Declaration, FieldType } from './field-type';

/** The column of a field that holds its value itself. */
export interface PlainColumn {
  /** The SQL type unless the author chooses one. */
  usual(declaration: Declaration): string;
  /** Whether a column of the SQL type can hold the values, and be searched as such a field is. */
  holds(columnType: string): boolean;
  /** The kind of a field in such a column, with the narrower of the author's limits and those of the column. */
  kindOf(columnType: string, declaration: Declaration): Omit<CompiledField, 'column' | 'columnType'>;
}

/** A field type whose values are in one column of the item's table. */
export function plainFieldType(
  own: Pick<FieldType, 'name' | 'fitsDefault'> & Partial<FieldType>,
  column: PlainColumn,
): FieldType {
  return {
    options: [],
    makesColumn: false,
    trimsKeys: false,
    problems: () => [],
    ...own,
    compile(declaration, report) {
      const { name, options, attribute } = declaration;
      const chosen = attribute?.type ?? options.column;
      const columnType =
        chosen === undefined ? column.usual(declaration) : sqlTypeOf(chosen as Parameters<typeof sqlTypeOf>[0]);
      if (!column.holds(columnType)) {
        report(`${name} is a ${own.name}, whose values a column of the type ${columnType} cannot hold`);
      }
      return {
        column: attribute?.field ?? identifier(snakeCase(name)),
        columnType,
        ...column.kindOf(columnType, declaration),
      };
    },
  };
}

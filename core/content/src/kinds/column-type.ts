import { DataTypes, type DataType } from 'sequelize';

interface SequelizeType {
  readonly key: string;
  toSql(): string;
}

type TypeConstructor = (new () => SequelizeType) & { extends?: (type: SequelizeType) => SequelizeType };

/**
 * The SQL of a Sequelize data type in PostgreSQL, for example `NUMERIC(19,4)`; text is taken as it is.
 * @throws TypeError for what is no data type, as plain JavaScript may give
 */
export function sqlTypeOf(type: DataType): string {
  if (typeof type === 'string') return type;
  const instance: SequelizeType = typeof type === 'function' ? new (type as unknown as TypeConstructor)() : type;
  if (typeof instance.toSql !== 'function') throw new TypeError('a column has a type that is not a DataType');
  const dialect = (DataTypes as unknown as { readonly postgres: Readonly<Record<string, TypeConstructor | undefined>> })
    .postgres;
  const own = dialect[instance.key];
  return (own?.extends === undefined ? instance : own.extends(instance)).toSql();
}

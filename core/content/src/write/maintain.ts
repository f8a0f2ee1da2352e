import type { ErrorDetail } from '@gantry/contracts';
import { quoteIdentifier } from '@gantry/core-database';
import { GantryError } from '@gantry/plugin-api';
import type { CompiledItemType } from '../compile/descriptor';
import { columnValue } from '../sql/statements';
import type { ItemWriterDependencies } from './write-dependencies';
import { validationFailed } from './write-problems';

/** Values of maintained fields of a plugin, by name. */
export interface MaintainedValues {
  readonly plugin: string;
  readonly values: object;
}

/** Writes maintained fields of one plugin; a version stays as it is, as the trigger of the table does not count them. */
export async function maintain(
  { query }: ItemWriterDependencies,
  { descriptor }: CompiledItemType,
  id: string,
  { plugin, values }: MaintainedValues,
): Promise<void> {
  const problems: ErrorDetail[] = [];
  const parsed = Object.entries(values).flatMap(([name, value]: readonly [string, unknown]) => {
    const field = descriptor.fields.find((one) => one.name === name && one.maintained === true);
    if (field === undefined) {
      throw new GantryError('BAD_REQUEST', `${name} is no maintained field of ${descriptor.code}.`);
    }
    if (field.plugin !== plugin) {
      throw new GantryError('FORBIDDEN', `${name} is no field of the plugin ${plugin}, which alone could maintain it.`);
    }
    const read =
      value === null ? { ok: true as const, value: null } : field.kind.parse(field.kind.fromModel(value), field);
    if (read.ok) return [{ field, value: read.value }];
    problems.push({ path: name, code: read.code, message: `${name} ${read.message}` });
    return [];
  });
  if (problems.length > 0) throw validationFailed(descriptor, 'update', problems);
  if (parsed.length === 0) return;
  const sets = parsed.map(
    ({ field }, index) =>
      `${quoteIdentifier(field.column)} = ${field.kind.cast(`$${index + 2}::${field.columnType}`, field)}`,
  );
  const sql = `UPDATE ${quoteIdentifier(descriptor.table)} SET ${sets.join(', ')} WHERE id = $1::bigint`;
  await query({ sql, values: [id, ...parsed.map(({ value }) => columnValue(value))] });
}

import { isTransactionConflict } from '@gantry/core-database';
import { onceFor } from '@gantry/core-common';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { shippedFieldTypes } from '../kinds/registry';
import type { StoredValues } from '../kinds/field-kind';
import { withAuthor } from '../policy/change-origin';
import type { ChosenItem } from '../sql/statements';
import { isOneRow, isPlainWrite } from './plain-model';
import type { Precondition } from './precondition';
import { mayMissItems } from './reference-check';
import { fieldsToCheck } from './values/required-fields';
import { writeAlone } from './write-transaction';
import type { WriteDependencies, WrittenRow } from './write-dependencies';

type WithHooks = Pick<WriteDependencies, 'hooks'>;

/** Whether a create needs one statement: no hooks, conditions or links, and nothing that could be the item itself. */
export function isOneInsert({ hooks }: WithHooks, type: CompiledItemType, values: StoredValues): boolean {
  const { descriptor } = type;
  return descriptor.rows === undefined && isPlainWrite(type, 'create', hooks) && isOneRow(descriptor, values);
}

/**
 * Creates an item in one statement, where {@link isOneInsert} holds.
 * @returns undefined when there is an item with the same values in the fields of `unlessKey`
 */
export function createByStatement(
  dependencies: WriteDependencies,
  type: CompiledItemType,
  values: StoredValues,
): Promise<WrittenRow>;
export function createByStatement(
  dependencies: WriteDependencies,
  type: CompiledItemType,
  values: StoredValues,
  unlessKey: readonly FieldDescriptor[],
): Promise<WrittenRow | undefined>;
export function createByStatement(
  dependencies: WriteDependencies,
  { descriptor: type }: CompiledItemType,
  values: StoredValues,
  unlessKey?: readonly FieldDescriptor[],
): Promise<WrittenRow | undefined> {
  const { scope } = dependencies;
  const signed = withAuthor(scope, type, 'create', values);
  return writeAlone(dependencies, { type, action: 'create', values }, (repository) =>
    repository.insert(scope, type, signed, unlessKey),
  );
}

/**
 * Whether a change of one item is one of one row, and nothing has to be known of the item before: no hooks, conditions or links, and
 * values that differ where PostgreSQL says so.
 */
export function isOneStatement({ hooks }: WithHooks, type: CompiledItemType, values: StoredValues): boolean {
  const { descriptor } = type;
  if (descriptor.rows !== undefined || values.size === 0 || !isPlainWrite(type, 'update', hooks)) return false;
  const names = independentFields(descriptor);
  return [...values.keys()].every((name) => names.has(name));
}

/** Names of the fields whose change depends on nothing else of the item. */
const independentFields = onceFor((type: ItemTypeDescriptor): ReadonlySet<string> => {
  const fields = type.fields.filter((field) => {
    // A kind of a plugin may take values for the same that PostgreSQL does not.
    const isShipped = shippedFieldTypes.of(field) !== undefined;
    const isColumn = isShipped && field.column !== '' && field.reference?.target !== type.code;
    // Whether it may be empty depends on the rest of the item.
    return isColumn && field.editableOnUpdate && fieldsToCheck(type, undefined, new Set([field.name])).length === 0;
  });
  return new Set(fields.map(({ name }) => name));
});

/**
 * Changes an item in one statement, where {@link isOneStatement} holds.
 * @returns undefined where it takes more, and where nothing has changed: the item is missing, has another version, or these values
 */
export async function updateByStatement(
  dependencies: WriteDependencies,
  type: CompiledItemType,
  id: string,
  values: StoredValues,
  { expected, excluded = [] }: Precondition,
): Promise<WrittenRow | undefined> {
  const { scope, isDryRun, restoredVersion } = dependencies;
  const { descriptor } = type;
  if (isDryRun === true || restoredVersion !== undefined || excluded.length > 0) return undefined;
  const versions = expected?.filter((version) => /^[1-9]\d{0,8}$/.test(version));
  if (versions?.length === 0) return undefined;
  // A hidden reference may stay as it is; PostgreSQL does not know policies.
  const mayMiss = mayMissItems(descriptor, values, scope.policy.types);
  if (mayMiss || !isOneStatement(dependencies, type, values)) return undefined;
  try {
    return await updateOne(dependencies, type, { id, versions }, values);
  } catch (error) {
    if (dependencies.parent === undefined && isTransactionConflict(error)) return undefined;
    throw error;
  }
}

/** Changes one item, where {@link isOneStatement} holds. @returns undefined where nothing has changed */
export function updateOne(
  dependencies: WriteDependencies,
  { descriptor: type }: CompiledItemType,
  chosen: ChosenItem,
  values: StoredValues,
): Promise<WrittenRow | undefined> {
  const { scope } = dependencies;
  const signed = withAuthor(scope, type, 'update', values);
  return writeAlone(dependencies, { type, action: 'update', values }, (repository) =>
    repository.update(scope, type, chosen, signed),
  );
}

import { isTransactionConflict } from '@gantry/core-database';
import type { CompiledItemType, FieldDescriptor } from '../compile/descriptor';
import { shippedFieldTypes } from '../kinds/registry';
import type { StoredValues } from '../kinds/field-kind';
import { type BoundCriterion, idField, isUniqueKey, versionField } from '../query/criteria';
import { isOneRow, isPlainWrite } from './plain-model';
import type { Precondition } from './precondition';
import { mayMissItems } from './reference-check';
import { fieldsToCheck } from './required-fields';
import { withAuthor } from './with-author';
import { alone, translated } from './write-transaction';
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
  { descriptor }: CompiledItemType,
  values: StoredValues,
  unlessKey?: readonly FieldDescriptor[],
): Promise<WrittenRow | undefined> {
  const { scope } = dependencies;
  const signed = withAuthor(scope, descriptor, 'create', values);
  return translated(dependencies, descriptor, 'create', values, () =>
    alone(dependencies, ({ repository }) => repository.insert(scope, descriptor, signed, unlessKey)),
  );
}

/**
 * Whether an update changes at most one row of one table, and nothing has to be known of the item before: no hooks, conditions or
 * links, and values that differ where PostgreSQL says so.
 */
export function isOneStatement(
  { hooks }: WithHooks,
  type: CompiledItemType,
  criteria: readonly BoundCriterion[],
  values: StoredValues,
): boolean {
  const { descriptor } = type;
  if (descriptor.rows !== undefined || values.size === 0) return false;
  // Whether it may be empty depends on the rest of the item.
  if (fieldsToCheck(descriptor, undefined, values).length > 0) return false;
  if (!isUniqueKey(descriptor, criteria) || !isPlainWrite(type, 'update', hooks)) return false;
  return descriptor.fields.every((field) => !values.has(field.name) || isWritable(field, descriptor.code));
}

function isWritable(field: FieldDescriptor, ownCode: string): boolean {
  // A kind of a plugin may take values for the same that PostgreSQL does not.
  const isShipped = shippedFieldTypes.of(field) !== undefined;
  return isShipped && field.column !== '' && field.editableOnUpdate && field.reference?.target !== ownCode;
}

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
  const versions = expected
    ?.filter((version) => /^[1-9]\d{0,8}$/.test(version))
    .map((one) => equals(versionField, one));
  if (versions?.length === 0) return undefined;
  const criteria: readonly BoundCriterion[] = [
    equals(idField, id),
    ...(versions === undefined ? [] : [{ holds: 'any', members: versions } as const]),
  ];
  // What a policy hides may stay as it is; PostgreSQL knows nothing of that.
  const mayMiss = mayMissItems(descriptor, values, scope.policy.types);
  if (mayMiss || !isOneStatement(dependencies, type, criteria, values)) return undefined;
  try {
    return await updateOne(dependencies, type, criteria, values);
  } catch (error) {
    if (dependencies.parent === undefined && isTransactionConflict(error)) return undefined;
    throw error;
  }
}

/** Changes the item that meets the criteria, where {@link isOneStatement} holds. @returns undefined where nothing has changed */
export function updateOne(
  dependencies: WriteDependencies,
  { descriptor }: CompiledItemType,
  criteria: readonly BoundCriterion[],
  values: StoredValues,
): Promise<WrittenRow | undefined> {
  const { scope } = dependencies;
  const signed = withAuthor(scope, descriptor, 'update', values);
  return translated(dependencies, descriptor, 'update', values, () =>
    alone(dependencies, ({ repository }) => repository.update(scope, descriptor, criteria, signed)),
  );
}

function equals(field: FieldDescriptor, value: string): BoundCriterion {
  return { field, operator: 'EQUALS', value };
}

import { GantryError, isGantryError } from '@gantry/plugin-api';
import type { BoundCriterion } from '../query/criteria';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { JsonObject } from '@gantry/core-common';
import type { StoredValues } from '../kinds/field-kind';
import type { NewValues } from './values/free-values';
import { parseNewItem } from './values/payload';
import { createByStatement, isOneInsert } from './one-statement';
import { writableType } from '../policy/scope';
import { assertSound } from './reference-check';
import type { WriteDependencies } from './write-dependencies';
import { validationFailed } from './write-problems';
import { attempts } from './write-transaction';
import { updateWhere } from './write-where';

/** Creates an item unless there is one with the same key; see the item writer. */
export async function createIfAbsent(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  payload: JsonObject,
  by: readonly string[],
): Promise<{ readonly json: string; readonly created: boolean }> {
  const { scope, repository } = dependencies;
  const type = writableType(scope, 'create', given);
  const { descriptor } = type;
  const key = keyFields(descriptor, by);
  const { values, problems, derived } = parseNewItem(type, payload);
  await assertSound(dependencies, descriptor, 'create', values, problems);
  const criteria = keyCriteria(descriptor, key, values);
  const isOne = derived.every(({ name }) => by.includes(name)) && isOneInsert(dependencies, type, values);
  for (let attempt = 1; ; attempt += 1) {
    const existing = isOne && attempt === 1 ? undefined : await repository.find(scope, descriptor, criteria);
    if (existing !== undefined) return { json: existing.json, created: false };
    try {
      const row = isOne
        ? await createByStatement(dependencies, type, values, key)
        : await dependencies.single.create(dependencies, type, withDerivedKey(payload, key, { values, derived }));
      if (row !== undefined) return { json: row.json, created: true };
    } catch (error) {
      // Somebody else may have created it in between; then it is found now.
      if (isOne || attempt === attempts || !isGantryError(error) || error.code !== 'CONFLICT') throw error;
    }
    if (attempt > attempts) throw keptChanging(descriptor);
  }
}

/** A value that was made and is the key must not get an alternative: then the item is there already. */
function withDerivedKey(
  payload: JsonObject,
  key: readonly FieldDescriptor[],
  { values, derived }: NewValues,
): JsonObject {
  const made = key.filter(({ name }) => derived.some((field) => field.name === name));
  return { ...payload, ...Object.fromEntries(made.map(({ name }) => [name, values.get(name)])) };
}

/** Creates an item or changes the one with the same key; see the item writer. */
export async function upsert(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  payload: JsonObject,
  by: readonly string[],
): Promise<{ readonly json: string; readonly created: boolean; readonly changed: boolean }> {
  const { scope } = dependencies;
  const type = writableType(scope, 'update', given);
  const { descriptor } = type;
  const key = keyFields(descriptor, by);
  const { values, problems } = parseNewItem(type, payload);
  await assertSound(dependencies, descriptor, 'create', values, problems);
  const criteria = keyCriteria(descriptor, key, values);
  const rest = Object.fromEntries(Object.entries(payload).filter(([name]) => !by.includes(name)));
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const [row] = await updateWhere(dependencies, type, criteria, rest);
    if (row !== undefined) return { json: row.json, created: false, changed: true };
    const { json, created } = await createIfAbsent(dependencies, type, payload, by);
    // An existing item that was not changed has the values, unless it was created since.
    if (created || attempt > 1) return { json, created, changed: created };
  }
  throw keptChanging(descriptor);
}

/** @throws GantryError BAD_REQUEST unless the fields are one of the unique sets of the type */
function keyFields(type: ItemTypeDescriptor, by: readonly string[]): readonly FieldDescriptor[] {
  const names = new Set<unknown>(Array.isArray(by) ? by : []);
  const set = type.unique.find((unique) => unique.length === names.size && unique.every((name) => names.has(name)));
  const fields = type.fields.filter(({ name, column }) => set?.includes(name) === true && column !== '');
  if (set !== undefined && fields.length === set.length) return fields;
  const known = type.unique.map((unique) => `[${unique.join(', ')}]`).join(', ') || 'none';
  throw new GantryError(
    'BAD_REQUEST',
    `${type.displayName} has no key [${[...names].join(', ')}]: "by" must be one of its unique sets of fields: ${known}.`,
  );
}

/** @throws GantryError VALIDATION_FAILED for a key without a value, which any number of items may have */
function keyCriteria(
  type: ItemTypeDescriptor,
  key: readonly FieldDescriptor[],
  values: StoredValues,
): readonly BoundCriterion[] {
  return key.map((field) => {
    const value = values.get(field.name) ?? null;
    if (value !== null) return { field, operator: 'EQUALS', value: typeof value === 'boolean' ? value : String(value) };
    const message = `${field.name} is part of the key and must have a value`;
    throw validationFailed(type, 'create', [{ path: field.name, code: 'REQUIRED', message }]);
  });
}

function keptChanging({ displayName }: ItemTypeDescriptor): GantryError {
  const message = `Others created and removed the same ${displayName} several times in the meantime. Try again.`;
  return new GantryError('CONFLICT', message);
}

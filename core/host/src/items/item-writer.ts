import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, type BaseItem } from '@gantry/plugin-api';
import type { LOCK, Sequelize, Transaction } from 'sequelize';
import { isTransactionConflict } from '../database/database-errors';
import { shortened } from '../shortened';
import type { CompiledItemType, ItemTypeDescriptor } from './descriptor';
import type { ItemRepository, RowText } from './item-repository';
import type { JsonObject } from './json';
import type { StoredValue } from './kinds/field-kind';
import { attributesOf, changedValues, lockedFields } from './item-changes';
import { linkedIds, replaceLinks } from './item-links';
import { attributeName } from './link-models';
import { parseNewItem, parsePayload, type StoredValues } from './payload';
import type { ItemAction } from './policy/policy';
import { assertMay, typeInScope, type Scope } from './policy/scope';
import { isPlainModel } from './plain-model';
import { hiddenReferences, missingReferences, selfReferences, type RunQuery } from './reference-check';
import { translateWriteError } from './write-errors';
import { itemNotFound, referencedProblem, validationFailed } from './write-problems';

/** A row after a write. */
export interface WrittenRow extends RowText {
  readonly id: string;
}

/** The versions of which an item must have one to be changed; undefined where any will do. */
export type ExpectedVersions = readonly string[] | undefined;

/**
 * Changes items through their Sequelize models: validation, hooks and one transaction for the item, its links and
 * whatever later stands beside them. A model that adds nothing to a create is left out of it: one statement then does
 * the same in one round trip. Every write of single items passes here, and is refused here if the scope has no right to it.
 */
export interface ItemWriter {
  /** @throws GantryError VALIDATION_FAILED, CONFLICT, BAD_REQUEST: `Failed to create <display name>: <cause>`. */
  create(scope: Scope, type: CompiledItemType, payload: JsonObject): Promise<WrittenRow>;
  /**
   * Changes the fields that are sent. `expected` are the versions of its If-Match.
   * @throws GantryError ITEM_NOT_FOUND, VERSION_MISMATCH, VALIDATION_FAILED, CONFLICT: `Failed to update …`.
   */
  update(
    scope: Scope,
    type: CompiledItemType,
    id: string,
    payload: JsonObject,
    expected: ExpectedVersions,
  ): Promise<WrittenRow>;
  /** @throws GantryError ITEM_NOT_FOUND, VERSION_MISMATCH, ITEM_REFERENCED with a detail for every referring field. */
  remove(scope: Scope, type: CompiledItemType, id: string, expected: ExpectedVersions): Promise<void>;
}

export interface ItemWriterParts {
  readonly sequelize: Sequelize;
  readonly repository: ItemRepository;
  /** Runs a statement outside the transaction of the write. */
  readonly query: RunQuery;
}

const attempts = 3;

export function createItemWriter(parts: ItemWriterParts): ItemWriter {
  return {
    create: (scope, type, payload) => create({ ...parts, scope }, type, payload),
    update: (scope, type, id, payload, expected) => update({ ...parts, scope }, type, id, payload, expected),
    remove: (scope, type, id, expected) => remove({ ...parts, scope }, type, id, expected),
  };
}

interface WriteParts extends ItemWriterParts {
  readonly scope: Scope;
}

/** The type as the scope sees it. @throws GantryError TYPE_NOT_FOUND, METHOD_NOT_ALLOWED, FORBIDDEN */
function writableType(scope: Scope, action: ItemAction, { descriptor }: CompiledItemType): CompiledItemType {
  const type = typeInScope(scope, descriptor.code);
  assertMay(scope, action, type);
  return type;
}

async function create(parts: WriteParts, given: CompiledItemType, payload: JsonObject): Promise<WrittenRow> {
  const { scope } = parts;
  const type = writableType(scope, 'create', given);
  const { descriptor, model, stored = descriptor } = type;
  const { values, problems } = parseNewItem(type, payload);
  if (problems.length > 0 || hiddenReferences(descriptor, values).length > 0) {
    throw validationFailed(descriptor, 'create', [...problems, ...(await missing(parts, descriptor, values))]);
  }
  if (isPlainModel(type) && isOneRow(descriptor, values)) {
    return translated(parts, descriptor, 'create', values, () => parts.repository.insert(scope, descriptor, values));
  }
  return write(parts, descriptor, 'create', values, async (transaction) => {
    const item = await model.create(attributesOf(stored, values), { transaction });
    const toItself = selfReferences(descriptor, item.id, values);
    if (toItself.length > 0) throw validationFailed(descriptor, 'create', toItself);
    await replaceLinks(parts, stored, item.id, values, transaction);
    return readBack(parts, descriptor, item.id, transaction);
  });
}

function missing(
  { scope, query }: WriteParts,
  type: ItemTypeDescriptor,
  values: StoredValues,
): Promise<readonly ErrorDetail[]> {
  return missingReferences(type, values, { types: scope.policy.types, query });
}

/** Whether a create needs nothing but its own row: no links, and no look at the new id, which a reference may have guessed. */
function isOneRow(type: ItemTypeDescriptor, values: StoredValues): boolean {
  return type.fields.every(
    (field) =>
      field.kind !== 'references' &&
      (field.reference?.target !== type.code || (values.get(field.name) ?? null) === null),
  );
}

async function update(
  parts: WriteParts,
  given: CompiledItemType,
  id: string,
  payload: JsonObject,
  expected: ExpectedVersions,
): Promise<WrittenRow> {
  const type = writableType(parts.scope, 'update', given);
  const { descriptor } = type;
  const { values, problems } = parsePayload(descriptor, payload, 'update');
  return write(parts, descriptor, 'update', values, async (transaction) => {
    // The weaker lock lets others refer to the item meanwhile; with the stronger one, two items that are set to refer to
    // each other would wait for each other.
    const item = await loadLocked(type, id, { transaction, lock: transaction.LOCK.NO_KEY_UPDATE });
    const current = await currentValues(parts, descriptor, item, values, transaction);
    const changed = changedValues(descriptor, values, current);
    const found = [...problems, ...lockedFields(descriptor, changed), ...selfReferences(descriptor, id, changed)];
    if (found.length > 0 || hiddenReferences(descriptor, changed).length > 0) {
      throw validationFailed(descriptor, 'update', [...found, ...(await missing(parts, descriptor, changed))]);
    }
    // After the values: they are wrong whatever the version is.
    assertVersion(descriptor, item, expected);
    if (changed.size > 0) await saveChanges(parts, descriptor, item, changed, transaction);
    return readBack(parts, descriptor, id, transaction);
  });
}

async function remove(
  parts: WriteParts,
  given: CompiledItemType,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  const type = writableType(parts.scope, 'delete', given);
  try {
    await inTransaction(parts.sequelize, async (transaction) => {
      const item = await loadLocked(type, id, { transaction, lock: transaction.LOCK.UPDATE });
      assertVersion(type.descriptor, item, expected);
      await item.destroy({ transaction });
    });
  } catch (error) {
    throw await translateWriteError(error, {
      type: type.descriptor,
      action: 'delete',
      describeForeignKey: () =>
        referencedProblem({ types: parts.scope.policy.types, query: parts.query }, type.descriptor, id),
    });
  }
}

function write(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  action: 'create' | 'update',
  values: StoredValues,
  work: (transaction: Transaction) => Promise<WrittenRow>,
): Promise<WrittenRow> {
  return translated(parts, type, action, values, () => inTransaction(parts.sequelize, work));
}

async function translated(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  action: 'create' | 'update',
  values: StoredValues,
  work: () => Promise<WrittenRow>,
): Promise<WrittenRow> {
  try {
    return await work();
  } catch (error) {
    throw await translateWriteError(error, {
      type,
      action,
      describeForeignKey: async () => validationFailed(type, action, await missing(parts, type, values)),
    });
  }
}

/** Tries again after a deadlock, which PostgreSQL resolves by ending one of the transactions. */
async function inTransaction<T>(sequelize: Sequelize, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sequelize.transaction(work);
    } catch (error) {
      if (attempt === attempts || !isTransactionConflict(error)) throw error;
    }
  }
}

async function loadLocked(
  { descriptor, model }: CompiledItemType,
  id: string,
  { transaction, lock }: { readonly transaction: Transaction; readonly lock: LOCK },
): Promise<BaseItem> {
  const item = await model.findByPk(id, { transaction, lock });
  if (item === null) throw itemNotFound(descriptor, id);
  return item;
}

/** @throws GantryError VERSION_MISMATCH */
function assertVersion(type: ItemTypeDescriptor, { id, version }: BaseItem, expected: ExpectedVersions): void {
  if (expected === undefined || expected.includes(String(version))) return;
  throw new GantryError(
    'VERSION_MISMATCH',
    `${type.displayName} ${id} has version ${version}, not ${shortened(expected.join(' or '))}: it was changed meanwhile. Read it again and repeat the change.`,
    { headers: { ETag: `"${version}"` } },
  );
}

async function currentValues(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  item: BaseItem,
  sent: StoredValues,
  transaction: Transaction,
): Promise<StoredValues> {
  const current = new Map<string, StoredValue>();
  for (const field of type.fields.filter((candidate) => sent.has(candidate.name))) {
    if (field.kind === 'references') {
      current.set(field.name, await linkedIds(parts, field, item.id, transaction));
    } else current.set(field.name, item.get(attributeName(field)) as StoredValue);
  }
  return current;
}

async function saveChanges(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  item: BaseItem,
  changed: StoredValues,
  transaction: Transaction,
): Promise<void> {
  item.set(attributesOf(type, changed));
  // A change of links alone is a change of the item too: it must raise the version.
  item.changed('updatedAt', true);
  await item.save({ transaction });
  await replaceLinks(parts, type, item.id, changed, transaction);
}

async function readBack(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  id: string,
  transaction: Transaction,
): Promise<WrittenRow> {
  const { sql } = parts.repository.getStatement(parts.scope, type, id);
  const [rows] = await parts.sequelize.query(sql, { bind: [id], transaction });
  const [row] = rows as readonly { readonly json: string; readonly version: number }[];
  if (row === undefined) throw itemNotFound(type, id);
  return { id, json: row.json, version: row.version };
}

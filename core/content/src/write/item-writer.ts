import type { BoundCriterion } from '../query/criteria';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { changedValues, lockedFields } from './values/item-changes';
import type { ItemRepository, RowText } from '../read/item-repository';
import type { JsonObject } from '@gantry/core-common';
import type { StoredValues } from '../kinds/field-kind';
import { parseNewItem, parsePayload, sentFields } from './values/payload';
import { fieldsToCheck, missingAfterChange } from './values/required-fields';
import { createByStatement, isOneInsert, updateByStatement } from './one-statement';
import { writableType, type Scope } from '../policy/scope';
import { assertPrecondition, type Precondition } from './precondition';
import { assertSound, lookForItems, mayMissItems, selfReferences } from './reference-check';
import { readTogether } from '@gantry/core-database';
import { remove } from './remove/remove-item';
import type { RemoveOptions } from './remove/confirmation';
import { assertRowWritable, hiddenOnRow, type RowRights } from './row-rights';
import { collisions, recreate, type Recreation, type Revert } from './recreate';
import { withoutUnchanged, type SentChange } from './values/unchanged-values';
import { withFreeValues } from './values/with-free-values';
import { createIfAbsent, upsert } from './write-by-key';
import type {
  ItemWriterDependencies,
  LookedUp,
  SingleWrites,
  WriteDependencies,
  WrittenRow,
} from './write-dependencies';
import { foundRow } from './write-problems';
import { createRows } from './rows/create-rows';
import { loadRow } from './rows/load-row';
import { updateRows } from './rows/update-rows';
import { maintain, type MaintainedValues } from './maintain';
import { inside, write, type WriteSession } from './write-transaction';
import { removeWhere, updateWhere } from './write-where';

/**
 * Writes single items: validation, hooks and one transaction for the item, its links and whatever is added to them later; one statement
 * where that does the same. Every write of single items passes here, and is refused here if the scope has no right to it.
 */
export interface ItemWriter {
  /** @throws GantryError VALIDATION_FAILED, CONFLICT, BAD_REQUEST: `Failed to create <display name>: <cause>`. */
  create(scope: Scope, type: CompiledItemType, payload: JsonObject): Promise<WrittenRow>;
  /**
   * Changes the fields that are sent.
   * @throws GantryError ITEM_NOT_FOUND, VERSION_MISMATCH, VALIDATION_FAILED, CONFLICT: `Failed to update …`.
   */
  update(
    scope: Scope,
    type: CompiledItemType,
    id: string,
    payload: JsonObject,
    precondition: Precondition,
  ): Promise<WrittenRow>;
  /**
   * Deletes an item, and what the `onDelete` of references to it says, as far as that is confirmed.
   * @throws GantryError ITEM_NOT_FOUND, VERSION_MISMATCH, ITEM_REFERENCED with a detail for every referring field,
   * CONFIRMATION_REQUIRED, CONFLICT for more than a thousand other items
   */
  remove(scope: Scope, type: CompiledItemType, id: string, options: RemoveOptions): Promise<void>;
  /**
   * Changes all items that meet the criteria when they are changed, all or none. `@returns` those that it changed.
   * @throws GantryError BAD_REQUEST without criteria and for more than a thousand items, and as {@link update} does
   */
  updateWhere(
    scope: Scope,
    type: CompiledItemType,
    criteria: readonly BoundCriterion[],
    payload: JsonObject,
  ): Promise<readonly WrittenRow[]>;
  /** The same for {@link remove}. `@returns` the items as they were. */
  removeWhere(
    scope: Scope,
    type: CompiledItemType,
    criteria: readonly BoundCriterion[],
    options: RemoveOptions,
  ): Promise<readonly RowText[]>;
  /**
   * Creates an item unless there is one with the same values in the fields `by`; safe for many callers at once.
   * @throws GantryError BAD_REQUEST when they are not unique together, and as {@link create} does
   */
  createIfAbsent(
    scope: Scope,
    type: CompiledItemType,
    payload: JsonObject,
    by: readonly string[],
  ): Promise<{ readonly json: string; readonly created: boolean }>;
  /** Creates an item, or changes the one with the same values in the fields `by`. @throws GantryError as both do */
  upsert(
    scope: Scope,
    type: CompiledItemType,
    payload: JsonObject,
    by: readonly string[],
  ): Promise<{ readonly json: string; readonly created: boolean; readonly changed: boolean }>;
  /**
   * Writes the values of an earlier version, as {@link update} does; of them those count that differ. Refuses with every problem.
   * @throws GantryError as {@link update} does
   */
  revert(scope: Scope, type: CompiledItemType, id: string, revert: Revert): Promise<WrittenRow>;
  /**
   * Creates an item again that was deleted, with its id.
   * @throws GantryError as {@link create} does; CONFLICT when it exists
   */
  recreate(scope: Scope, type: CompiledItemType, id: string, recreation: Recreation): Promise<WrittenRow>;
  /** Writes values of fields that plugins maintain. */
  maintain(scope: Scope, type: CompiledItemType, id: string, values: MaintainedValues): Promise<void>;
  /** Runs work in one transaction of the scope; after a deadlock again, up to three times. */
  transaction<T>(scope: Scope, work: (inside: ItemTransaction) => Promise<T>): Promise<T>;
}

/** Reads and writes in one transaction. */
export interface ItemTransaction {
  readonly writer: ItemWriter;
  readonly repository: ItemRepository;
  /** Takes advisory locks until the transaction ends, without waiting. @returns whether it has all of them */
  tryLock(names: readonly string[]): Promise<boolean>;
}

export function createItemWriter(dependencies: ItemWriterDependencies): ItemWriter {
  const { sequelize, types, repository, query, logger, hooks, notify, parent } = dependencies;
  // Members are named, as copies of objects take long.
  const on = (scope: Scope): WriteDependencies => {
    return { sequelize, types, repository, query, logger, hooks, notify, parent, scope, single };
  };
  return {
    create: (scope, type, payload) => create(on(scope), type, payload),
    update: (scope, type, id, payload, precondition) => update(on(scope), type, id, payload, precondition),
    remove: (scope, type, id, options) => remove(on(scope), type, id, options),
    updateWhere: (scope, type, criteria, payload) => updateWhere(on(scope), type, criteria, payload),
    removeWhere: (scope, type, criteria, options) => removeWhere(on(scope), type, criteria, options),
    createIfAbsent: (scope, type, payload, by) => createIfAbsent(on(scope), type, payload, by),
    upsert: (scope, type, payload, by) => upsert(on(scope), type, payload, by),
    revert: (scope, type, id, { version, payload, precondition, isDryRun }) => {
      const restoring = { ...on(scope), restoredVersion: version, ...(isDryRun === true ? { isDryRun } : {}) };
      return update(restoring, type, id, payload, precondition);
    },
    recreate: (scope, type, id, { version, isDryRun, ...recreation }) => {
      const restoring = { ...on(scope), restoredVersion: version, ...(isDryRun === true ? { isDryRun } : {}) };
      return recreate(restoring, type, id, recreation);
    },
    maintain: (scope, type, id, values) =>
      inside({ ...dependencies, scope }, (inner) => maintain(inner, type, id, values)),
    transaction: (scope, work) =>
      inside({ ...dependencies, scope }, (inner) =>
        work({
          writer: createItemWriter(inner),
          repository: inner.repository,
          tryLock: (names) => tryLock(inner, names),
        }),
      ),
  };
}

const single: SingleWrites = { create, update, remove };

async function create(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  payload: JsonObject,
): Promise<WrittenRow> {
  const { scope } = dependencies;
  const type = writableType(scope, 'create', given);
  const { descriptor } = type;
  const parsed = parseNewItem(type, payload);
  const { values, problems, derived } = parsed;
  const isDerived = derived.length > 0;
  // Else in the transaction of the create.
  if (problems.length > 0 || isDerived || isOneInsert(dependencies, type, values)) {
    const checking = assertSound(dependencies, descriptor, 'create', values, problems);
    if (checking !== undefined) await checking;
  }
  if (!isDerived) return createWith(dependencies, type, payload, values);
  return withFreeValues(dependencies, type, parsed, (inner, free) => createWith(inner, type, payload, free));
}

function createWith(
  dependencies: WriteDependencies,
  type: CompiledItemType,
  payload: JsonObject,
  values: StoredValues,
): Promise<WrittenRow> {
  const { scope } = dependencies;
  const { descriptor } = type;
  if (isOneInsert(dependencies, type, values)) return createByStatement(dependencies, type, values);
  return write(dependencies, { type: descriptor, action: 'create', values }, async (session) => {
    const looked = await lookedUp(session, descriptor, values);
    await assertSound({ ...dependencies, looked }, descriptor, 'create', values, []);
    const item = { values, set: sentFields(descriptor, payload) };
    const readBack = (id: string) => dependencies.repository.reading(scope, descriptor, id);
    const { ids, row } = await createRows(session, type, [item], { readBack });
    return foundRow(descriptor, ids[0] ?? '', row);
  });
}

async function update(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  id: string,
  sent: JsonObject,
  precondition: Precondition,
): Promise<WrittenRow> {
  const type = writableType(dependencies.scope, 'update', given);
  const { descriptor } = type;
  const { values, problems: refused } = parsePayload(descriptor, sent, 'update');
  const row = refused.length > 0 ? undefined : await updateByStatement(dependencies, type, id, values, precondition);
  if (row !== undefined) return row;
  const action = dependencies.restoredVersion === undefined ? 'update' : 'restore';
  return write(dependencies, { type: descriptor, action, values }, async (session) => {
    const needed = new Set([...values.keys(), ...fieldsToCheck(descriptor, undefined, values)]);
    const look = lookOf(session, descriptor, values);
    const { version, rights, current, item, rows } = await loadRow(session, type, id, needed, look.sql);
    const change = { id, payload: sent, problems: refused };
    const { payload, problems } = refused.length === 0 ? change : await refusedOf(session, descriptor, change, rights);
    const hidden = hiddenOnRow(descriptor, rights, values);
    const changed = hidden.length > 0 ? noValues : changedValues(descriptor, values, current);
    const now = new Map([...current, ...changed]);
    const found = [
      ...problems,
      ...hidden,
      ...lockedFields(descriptor, changed),
      ...missingAfterChange(descriptor, rights, { current, values: changed, problems, payload }),
      ...selfReferences(descriptor, id, changed),
      ...(dependencies.isDryRun === true ? await collisions(dependencies, descriptor, { id, values: now }) : []),
    ];
    await assertSound({ ...dependencies, current, looked: look.read(rows) }, descriptor, action, changed, found);
    // After the values: they are wrong whatever the version is.
    assertPrecondition(descriptor, { id, version }, precondition);
    if (dependencies.isDryRun === true && changed.size > 0) assertRowWritable(descriptor, rights, [...changed.keys()]);
    const isWritten = dependencies.isDryRun !== true && changed.size > 0;
    const changes = isWritten ? [{ id, values: changed, right: 'update' as const, item, before: rights }] : [];
    const readBack = dependencies.repository.reading(dependencies.scope, descriptor, id);
    return foundRow(descriptor, id, await updateRows(session, type, changes, readBack));
  });
}

const noValues: StoredValues = new Map();

/** Look-ups before values are written that may refer to items which a policy hides. */
function lookOf({ scope: { policy } }: WriteSession, type: ItemTypeDescriptor, values: StoredValues) {
  return mayMissItems(type, values, policy.types) ? lookForItems(type, values, policy.types) : noLook;
}

const noLook = { sql: undefined, read: () => undefined };

async function lookedUp(
  session: WriteSession,
  type: ItemTypeDescriptor,
  values: StoredValues,
): Promise<LookedUp | undefined> {
  const look = lookOf(session, type, values);
  if (look.sql === undefined) return look.read([]);
  const [rows = []] = await readTogether(session.transaction, [look.sql]);
  return look.read(rows.map((row): readonly unknown[] => Object.values(row)));
}

/** The change without fields that keep their current value, and without the problems of these. */
async function refusedOf(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  change: SentChange,
  rights: RowRights | undefined,
): Promise<SentChange> {
  const isShown = ({ name }: FieldDescriptor): boolean => rights?.shows(name) !== false;
  const [left = change] = await withoutUnchanged(type, [change], isShown, query);
  return left;
}

async function tryLock({ query }: ItemWriterDependencies, names: readonly string[]): Promise<boolean> {
  const sql = 'SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended(name, 0))) FROM unnest($1::text[]) AS name';
  const [row] = await query({ sql, values: [names] });
  return row?.[0] === true;
}

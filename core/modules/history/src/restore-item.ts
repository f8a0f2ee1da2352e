import type { ErrorDetail, FieldDifference } from '@gantry/contracts';
import { GantryError, isGantryError } from '@gantry/plugin-api';
import { isJsonObject, parseWrittenJson, type JsonObject } from '@gantry/core-common';
import type { RunQuery } from '@gantry/core-database';
import {
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  isLinked,
  assertMay,
  type Scope,
  type ItemRepository,
  type ItemWriter,
  type Precondition,
  type StoredValues,
  itemNotFound,
  validationFailed,
  type WrittenRow,
} from '@gantry/core-content';
import { changesOfItem, summaryOfItem, storedChange } from './change-statements';
import { idsOf, referredItems, targetsOf, visibleChanges, type VisibleChange } from './present-changes';
import { differencesOf, readVersion } from './read-changes';

export interface RestoreDependencies {
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  readonly query: RunQuery;
}

export interface RestoreRequest {
  readonly type: CompiledItemType;
  /** Of the item. */
  readonly id: string;
  /** The last one of a deleted item unless given. */
  readonly version: number | undefined;
  /** Fields that stay as they are; of a deleted item, those that get their defaults. */
  readonly without: readonly string[];
  /** Values that are written instead of those of the version, as an update has them. */
  readonly values: JsonObject;
}

/** The effect of a restore; see RestoreCheck of the contracts. */
export interface RestorePlan {
  readonly version: number;
  readonly isDeleted: boolean;
  /** JSON texts of {@link FieldDifference}. */
  readonly changes: readonly string[];
  readonly problems: readonly ErrorDetail[];
}

interface Found {
  readonly target: VisibleChange;
  /** The last version; of a deleted item, that before it was deleted. */
  readonly current: VisibleChange | undefined;
  readonly isDeleted: boolean;
  readonly payload: JsonObject;
  /** Of references whose ids are those of items of another type. */
  readonly redirected: readonly ErrorDetail[];
}

/**
 * Writes the values of an earlier version of an item, or an item that was deleted with the same id, as any other write is checked:
 * rights, validation, references, hooks.
 * @throws GantryError ITEM_NOT_FOUND, BAD_REQUEST, and what create and update throw
 */
export async function restoreItem(
  dependencies: RestoreDependencies,
  scope: Scope,
  request: RestoreRequest,
  precondition: Precondition,
): Promise<WrittenRow> {
  const { type, id } = request;
  const found = await find(dependencies, scope, request);
  const { version } = found.target.change;
  const problems = await problemsOf(dependencies, scope, request, found);
  // Of a key that is taken alone, the write says so as any other.
  if (problems.some(({ code }) => code !== 'NOT_UNIQUE')) {
    throw validationFailed(type.descriptor, 'restore', problems);
  }
  if (!found.isDeleted) {
    return dependencies.writer.revert(scope, type, id, { version, payload: found.payload, precondition });
  }
  const [summary = []] = await dependencies.query(summaryOfItem(type.descriptor.table, id));
  const createdAt = summary[1] instanceof Date ? summary[1] : undefined;
  return dependencies.writer.recreate(scope, type, id, {
    version,
    payload: found.payload,
    after: Number(summary[0] ?? 0),
    left: leftValues(scope, type, found.target),
    createdAt,
  });
}

/** The effect that {@link restoreItem} would have; writes nothing and runs no hooks. */
export async function checkRestore(
  dependencies: RestoreDependencies,
  scope: Scope,
  request: RestoreRequest,
): Promise<RestorePlan> {
  const { type } = request;
  const found = await find(dependencies, scope, request);
  const { target, current, isDeleted, payload } = found;
  const referred = await referredItems(scope, current === undefined ? [target] : [target, current], dependencies.query);
  const from = current ?? { ...target, values: new Map(), previous: new Map() };
  const before = isDeleted ? { ...target, values: new Map([...target.values].map(([name]) => [name, null])) } : from;
  const problems = await problemsOf(dependencies, scope, request, found);
  const wanted = new Set(Object.keys(payload));
  const changes = differencesOf(type.descriptor, before, target, referred).filter((text) =>
    wanted.has((JSON.parse(text) as FieldDifference).field),
  );
  return { version: target.change.version, isDeleted, changes, problems };
}

async function problemsOf(
  { writer }: RestoreDependencies,
  scope: Scope,
  { type, id }: RestoreRequest,
  { target, isDeleted, payload, redirected }: Found,
): Promise<readonly ErrorDetail[]> {
  const restored = { version: target.change.version, payload, isDryRun: true } as const;
  try {
    await (isDeleted
      ? writer.recreate(scope, type, id, { ...restored, after: 0, createdAt: undefined })
      : writer.revert(scope, type, id, { ...restored, precondition: {} }));
    return redirected;
  } catch (error) {
    if (!isGantryError(error) || !['VALIDATION_FAILED', 'CONFLICT'].includes(error.code)) throw error;
    const details = error.details ?? [{ path: '', code: error.code, message: error.message }];
    return [...redirected, ...details.filter(({ path }) => !redirected.some((one) => one.path === path))];
  }
}

async function find(
  { repository, query }: RestoreDependencies,
  scope: Scope,
  { type, id, version, without, values }: RestoreRequest,
): Promise<Found> {
  const { descriptor } = type;
  const isDeleted = (await repository.get(scope, descriptor, id)) === undefined;
  assertMay(scope, isDeleted ? 'create' : 'update', type);
  assertFields(descriptor, without);
  if (!isDeleted && version === undefined) {
    throw new GantryError(
      'BAD_REQUEST',
      `${descriptor.displayName} ${id} is not deleted. Name the version to restore.`,
    );
  }
  const target = await readVersion(scope, type, id, version, query);
  const [last] = await visibleChanges(
    scope,
    (await query(changesOfItem(descriptor.table, id, { limit: 1 }))).map(storedChange),
    query,
  );
  if (isDeleted && last?.action !== 'deleted') {
    const isRestored = (await repository.get(scope, descriptor, id)) !== undefined;
    if (!isRestored) throw itemNotFound(descriptor, id);
    throw new GantryError(
      'CONFLICT',
      `${descriptor.displayName} ${id} exists already: it was restored in the meantime.`,
    );
  }
  const stored = payloadOf(descriptor, target, without);
  const kept = Object.keys(stored).filter((name) => !Object.hasOwn(values, name));
  const redirected = await redirectedReferences(scope, descriptor, { target, kept }, query);
  const payload = { ...stored, ...values };
  return { target, current: isDeleted ? undefined : last, isDeleted, payload, redirected };
}

/** A problem for every field whose ids are not of items of the type that it refers to now. */
async function redirectedReferences(
  { policy: { types } }: Scope,
  { fields }: ItemTypeDescriptor,
  { target, kept }: { readonly target: VisibleChange; readonly kept: readonly string[] },
  query: RunQuery,
): Promise<readonly ErrorDetail[]> {
  const references = fields.filter(
    ({ name, reference }) =>
      reference !== undefined && kept.includes(name) && idsOf(target.values.get(name)).length > 0,
  );
  if (references.length === 0) return [];
  const targetOf = await targetsOf(types, [target], query);
  return references.flatMap((field) => {
    const { name, reference } = field;
    const now = types.find(reference?.target ?? '')?.descriptor;
    if (now === undefined || targetOf(target, field) === now.code) return [];
    const message = `referred to items of another type than ${now.displayName} in this version; restore the item without this field, or give it a value`;
    return [{ path: name, code: 'REFERENCE_NOT_FOUND', message }];
  });
}

/** Nobody sees these fields until their plugins are in use again; then the item has what it had. */
function leftValues(
  { policy: { types } }: Scope,
  { stored }: CompiledItemType,
  { change }: VisibleChange,
): StoredValues {
  const fields =
    stored?.fields.filter(({ plugin, column }) => plugin !== undefined && column !== '' && !types.isServed(plugin)) ??
    [];
  const values = fields.length === 0 ? {} : parseWrittenJson(change.values);
  return new Map(
    fields.flatMap((field) => {
      const value: unknown = isJsonObject(values) ? (values[field.name] ?? null) : null;
      const read = value === null ? undefined : field.kind.parse(field.kind.fromHistory(value), field);
      return read?.ok === true ? [[field.name, read.value] as const] : [];
    }),
  );
}

function assertFields(type: ItemTypeDescriptor, names: readonly string[]): void {
  const unknown = names.find((name) => !type.fields.some((field) => field.name === name));
  if (unknown === undefined) return;
  throw new GantryError('BAD_REQUEST', `without: ${unknown} is not a field of ${type.displayName}.`);
}

/** A reference may have been to several items, and to one: the list has that one, and of several the first one counts. */
function restored(field: FieldDescriptor, value: unknown): unknown {
  if (isLinked(field)) return Array.isArray(value) ? value : [value];
  if (field.reference === undefined) return field.kind.fromHistory(value);
  return Array.isArray(value) ? (value[0] ?? null) : value;
}

/** Values as a client would send them. */
function payloadOf(type: ItemTypeDescriptor, { values }: VisibleChange, without: readonly string[]): JsonObject {
  const members = type.fields.flatMap((field) => {
    if (!values.has(field.name) || without.includes(field.name)) return [];
    const value = values.get(field.name) ?? null;
    const empty = isLinked(field) ? [] : null;
    return [[field.name, value === null ? empty : restored(field, value)] as const];
  });
  return Object.fromEntries(members);
}

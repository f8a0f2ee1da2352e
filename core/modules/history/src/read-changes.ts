import { GantryError, invalidParameter } from '@gantry/plugin-api';
import { exactJson, numberText } from '@gantry/core-common';
import { firstPosition, formatPosition, positionOf, type Position, type RunQuery } from '@gantry/core-database';
import type { ChangesPort, ChangeText } from '@gantry/core-http/ports';
import {
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  type Scope,
  itemNotFound,
} from '@gantry/core-content';
import {
  changesAfter,
  changesOfItem,
  deletedItems,
  isReached,
  lastPosition,
  newestChanges,
  storedChange,
  type ChangeFilter,
  type ChangeStatement,
  type StoredChange,
} from './change-statements';
import {
  actorMembers,
  changeJson,
  idsOf,
  referredItems,
  tableOf,
  valueJson,
  visibleChanges,
  visibleOfItem,
  type ReferredItems,
  type VisibleChange,
} from './present-changes';

/** A page of what is newest first. */
export interface NewestPage {
  /** JSON texts. */
  readonly rows: readonly string[];
  /** Before which the next page begins; undefined at the end. */
  readonly nextBefore: Position | undefined;
}

/** Reads the change feed, also backwards. */
export interface ChangeReader extends ChangesPort {
  newest(scope: Scope, filter: ChangeFilter, limit: number, types?: readonly CompiledItemType[]): Promise<NewestPage>;
  /** @throws GantryError ITEM_NOT_FOUND for an item of which the scope sees no change */
  history(
    scope: Scope,
    type: CompiledItemType,
    id: string,
    before: Position | undefined,
    limit: number,
  ): Promise<NewestPage>;
  /** One version of an item. @throws GantryError ITEM_NOT_FOUND */
  version(scope: Scope, type: CompiledItemType, id: string, version: number): Promise<string>;
  /** JSON of the fields in which two versions differ. @throws GantryError ITEM_NOT_FOUND */
  differences(scope: Scope, type: CompiledItemType, id: string, from: number, to: number): Promise<string>;
  /** Items that were deleted and do not exist. */
  deleted(scope: Scope, type: CompiledItemType, before: Position | undefined, limit: number): Promise<NewestPage>;
}

/** Display names of users, by what the feed calls them, for example `user:12`. */
export type ActorNames = (actors: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function createChangeReader(query: RunQuery, namesOf: ActorNames): ChangeReader {
  const read = async (statement: ChangeStatement): Promise<readonly StoredChange[]> =>
    (await query(statement)).map(storedChange);
  const textsFor: Readers['textsFor'] = async (scope, visible) => {
    const { labelOf } = await referredItems(scope, visible, query);
    const names = await namesOf(actorsOf(visible));
    return visible.map((change) => ({
      position: change.change.position,
      type: change.type.descriptor.code,
      json: changeJson(change, labelOf, names),
    }));
  };
  const present: Readers['present'] = async (scope, changes, isWanted = () => true) =>
    textsFor(scope, (await visibleChanges(scope, changes, query)).filter(isWanted));
  return {
    async after(scope, position, limit, types) {
      const tables = tablesOf(scope, types);
      const { changes, hasMore } = await readPage(read, limit, (last, count) =>
        changesAfter(tables, last ?? position, count),
      );
      return { changes: await present(scope, changes), next: changes.at(-1)?.position ?? position, hasMore };
    },
    async last() {
      const [row] = await query(lastPosition);
      return row === undefined ? firstPosition : positionOf(row);
    },
    async assertReached(parameter, position) {
      const [row] = await query(isReached(position));
      if (row?.[0] === 'true') return;
      throw invalidParameter(
        parameter,
        `${parameter} must be a position that the change feed has reached; ${formatPosition(position)} is not one. If it comes from another database, read its items again and begin with "latest"`,
      );
    },
    async newest(scope, filter, limit, types) {
      if (filter.actor !== undefined) return readOfActor({ read, present }, scope, { filter, limit, types });
      const tables = tablesOf(scope, types);
      const page = await readPage(read, limit, (last, count) =>
        newestChanges(tables, { ...filter, before: last ?? filter.before }, count),
      );
      return { rows: textsOf(await present(scope, page.changes)), nextBefore: nextBefore(page) };
    },
    ...itemReaders({ query, namesOf, read, textsFor }),
  };
}

interface Readers {
  readonly query: RunQuery;
  readonly namesOf: ActorNames;
  read(statement: ChangeStatement): Promise<readonly StoredChange[]>;
  present(
    scope: Scope,
    changes: readonly StoredChange[],
    isWanted?: (change: VisibleChange) => boolean,
  ): Promise<readonly ChangeText[]>;
  textsFor(scope: Scope, visible: readonly VisibleChange[]): Promise<readonly ChangeText[]>;
}

interface NewestRequest {
  readonly filter: ChangeFilter;
  readonly limit: number;
  readonly types: readonly CompiledItemType[] | undefined;
}

/** Rows that are looked through for a page of one actor: the others may all be hidden from who asks. */
const rowsOfActor = 20_000;
const rowsOfTurn = 1_000;

/**
 * A filter of actors must not say who wrote what does not show its actor, nor that somebody wrote what is hidden: the page is
 * filled from what is shown, and the next one begins there.
 */
async function readOfActor(
  { read, present }: Pick<Readers, 'read' | 'present'>,
  scope: Scope,
  { filter, limit, types = scope.policy.types.served() }: NewestRequest,
): Promise<NewestPage> {
  const tables = tablesOf(
    scope,
    types.filter(({ descriptor }) => !descriptor.hidesAuthors),
  );
  const rows: ChangeText[] = [];
  const isFull = (): boolean => rows.length >= limit || charactersOf(rows) > pageCharacters / 2;
  let { before } = filter;
  for (let seen = 0; seen < rowsOfActor;) {
    const page = await readPage(read, seen === 0 ? limit : rowsOfTurn, (last, count) =>
      newestChanges(tables, { ...filter, before: last ?? before }, count),
    );
    rows.push(...(await present(scope, page.changes, showsActor)));
    before = nextBefore(page);
    if (before === undefined || isFull()) break;
    seen += page.changes.length;
  }
  const shown = rows.slice(0, limit);
  const isLast = before === undefined && !isFull();
  return { rows: textsOf(shown), nextBefore: isLast ? undefined : (shown.at(-1)?.position ?? before) };
}

function showsActor({ action }: VisibleChange): boolean {
  return action !== 'left';
}

function charactersOf(rows: readonly ChangeText[]): number {
  return rows.reduce((sum, { json }) => sum + json.length, 0);
}

function itemReaders({
  query,
  namesOf,
  read,
  textsFor,
}: Omit<Readers, 'present'>): Pick<ChangeReader, 'history' | 'version' | 'differences' | 'deleted'> {
  return {
    async history(scope, type, id, before, limit) {
      const { descriptor } = type;
      const page = await readPage(read, limit, (last, count) =>
        changesOfItem(descriptor.table, id, { before: last ?? before, limit: count }),
      );
      const rows = await textsFor(scope, await visibleOfItem(scope, type, page.changes, query));
      if (rows.length > 0 || (await isShown(descriptor, id, query))) {
        return { rows: textsOf(rows), nextBefore: nextBefore(page) };
      }
      if (before === undefined) throw itemNotFound(descriptor, id);
      // That more follows would say that there is such an item.
      return { rows: [], nextBefore: undefined };
    },
    async version(scope, type, id, version) {
      const visible = await readVersion(scope, type, id, version, query);
      const names = await namesOf(actorsOf([visible]));
      const { labelOf } = await referredItems(scope, [visible], query);
      return changeJson(visible, labelOf, names);
    },
    async differences(scope, type, id, from, to) {
      const before = await readVersion(scope, type, id, from, query);
      const after = await readVersion(scope, type, id, to, query);
      const referred = await referredItems(scope, [before, after], query);
      return `[${differencesOf(type.descriptor, before, after, referred).join(',')}]`;
    },
    async deleted(scope, { descriptor }, before, limit) {
      const page = await readPage(read, limit, (last, count) =>
        deletedItems(descriptor.table, tableOf(descriptor), last ?? before, count),
      );
      const visible = await visibleChanges(scope, page.changes, query);
      const names = await namesOf(actorsOf(visible));
      return {
        rows: visible.filter(({ action }) => action !== 'left').map((change) => deletedJson(change, names)),
        nextBefore: nextBefore(page),
      };
    },
  };
}

function textsOf(changes: readonly ChangeText[]): readonly string[] {
  return changes.map(({ json }) => json);
}

function tablesOf({ policy }: Scope, types: readonly CompiledItemType[] = policy.types.served()): readonly string[] {
  return types.map(({ descriptor }) => descriptor.table);
}

interface StoredPage {
  readonly changes: readonly StoredChange[];
  readonly hasMore: boolean;
}

function nextBefore({ changes, hasMore }: StoredPage): Position | undefined {
  return hasMore ? changes.at(-1)?.position : undefined;
}

/** Rows of the first statement of a page. */
const firstRows = 100;

/** Characters that the rows of a page come to; a page of long texts has fewer rows than its limit. */
const pageCharacters = 4 * 1024 * 1024;

/** @param statementFor gives the rows behind the last one, and at most so many */
async function readPage(
  read: (statement: ChangeStatement) => Promise<readonly StoredChange[]>,
  limit: number,
  statementFor: (last: Position | undefined, count: number) => ChangeStatement,
): Promise<StoredPage> {
  const changes: StoredChange[] = [];
  let characters = 0;
  for (let count = Math.min(limit, firstRows); count > 0;) {
    const rows = await read(statementFor(changes.at(-1)?.position, count));
    changes.push(...rows);
    if (rows.length < count) return { changes, hasMore: false };
    characters += rows.reduce((sum, { values, previous }) => sum + values.length + (previous?.length ?? 0), 0);
    const fitting = Math.floor((pageCharacters - characters) / (characters / changes.length));
    count = Math.min(limit - changes.length, Math.max(0, fitting));
  }
  return { changes, hasMore: true };
}

/** An item of an earlier version of the platform has no history yet. */
async function isShown(type: ItemTypeDescriptor, id: string, query: RunQuery): Promise<boolean> {
  const condition = type.rows?.read === undefined ? '' : ` AND (${type.rows.read})`;
  const rows = await query({ sql: `SELECT FROM ${tableOf(type)} t WHERE t.id = $1::bigint${condition}`, values: [id] });
  return rows.length > 0;
}

/**
 * The newest change of an item with a version.
 * @param version the last one unless given
 * @throws GantryError ITEM_NOT_FOUND also for one that the scope does not see
 */
export async function readVersion(
  scope: Scope,
  type: CompiledItemType,
  id: string,
  version: number | undefined,
  query: RunQuery,
): Promise<VisibleChange> {
  const wanted = version === undefined ? { limit: 1 } : { limit: 1, version };
  const { descriptor } = type;
  const rows = await query(changesOfItem(descriptor.table, id, wanted));
  const [visible] = await visibleOfItem(scope, type, rows.map(storedChange), query);
  if (visible !== undefined && visible.action !== 'left') return visible;
  if (version === undefined) throw itemNotFound(descriptor, id);
  throw new GantryError('ITEM_NOT_FOUND', `${descriptor.displayName} ${id} has no version ${version} in its history.`);
}

/** JSON texts of FieldDifference of the contracts, of the fields that the scope sees in both versions. */
export function differencesOf(
  type: ItemTypeDescriptor,
  before: VisibleChange,
  after: VisibleChange,
  { labelOf, targetOf }: ReferredItems,
): readonly string[] {
  const hasSameItems = (field: FieldDescriptor, from: unknown, to: unknown): boolean => {
    const ids = idsOf(from);
    if (ids.join() !== idsOf(to).join()) return false;
    return ids.length === 0 || targetOf(before, field) === targetOf(after, field);
  };
  return type.fields.flatMap((field) => {
    if (!before.values.has(field.name) || !after.values.has(field.name)) return [];
    const [from, to] = [before.values.get(field.name), after.values.get(field.name)];
    const isSame = field.reference === undefined ? exactJson(from) === exactJson(to) : hasSameItems(field, from, to);
    if (isSame) return [];
    const about = JSON.stringify({ field: field.name, displayName: field.displayName, type: field.type });
    const values = `"before":${valueJson(field, from, before, labelOf)},"after":${valueJson(field, to, after, labelOf)}`;
    return [`${about.slice(0, -1)},${values}}`];
  });
}

/** Whose names are wanted: not those of types that do not show who writes. */
function actorsOf(changes: readonly VisibleChange[]): readonly string[] {
  return [...new Set(changes.flatMap(({ type, change }) => (type.descriptor.hidesAuthors ? [] : [change.actor])))];
}

function deletedJson(
  { type: { descriptor }, change, values }: VisibleChange,
  names: ReadonlyMap<string, string>,
): string {
  const label = descriptor.labelFields
    .map((name) => values.get(name))
    .map((value) => numberText(value) ?? value)
    .find((value) => typeof value === 'string' && value !== '');
  const rest = JSON.stringify({
    version: change.version,
    label: label ?? change.id,
    deletedAt: change.at,
    ...actorMembers(descriptor, change, names),
    position: formatPosition(change.position),
  });
  return `{"id":${change.id},${rest.slice(1)}`;
}

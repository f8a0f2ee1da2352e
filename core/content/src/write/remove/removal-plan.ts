import type { Transaction } from 'sequelize';
import { quoteIdentifier } from '@gantry/core-database';
import { type CompiledItemType, type FieldDescriptor, isLinked } from '../../compile/descriptor';
import type { ItemTypes, Referrer } from '../../compile/item-types';
import { linkColumnOf } from '../../sql/find-referrers';
import type { WriteDependencies } from '../write-dependencies';
import type { InnerReference } from '@gantry/core-common';

/** Other items that one deletion deletes or changes at most. */
export const maxConcerned = 1_000;

/** References between the items that one deletion deletes, at most: each of a thousand items may refer to a thousand. */
export const maxInner = 20_000;

/** An item that a deletion concerns. */
export interface PlannedItem {
  /** All of the type, whatever a policy shows. */
  readonly type: CompiledItemType;
  readonly id: string;
}

/** A reference of an item to another one. */
export interface FoundReference extends InnerReference {
  readonly item: PlannedItem;
  readonly field: FieldDescriptor;
  readonly targetId: string;
}

/** The effects of a deletion. The concerned items are locked until the end of the transaction. */
export interface RemovalPlan {
  /** The item itself first, and those that are deleted with it; by type and id. */
  readonly removed: ReadonlyMap<string, PlannedItem>;
  /** References between them. */
  readonly inner: readonly FoundReference[];
  /** References of other items that are emptied or removed. */
  readonly released: readonly FoundReference[];
  /** References of other items because of which nothing can be deleted. */
  readonly blocking: readonly FoundReference[];
  /** More is concerned than one deletion may; then the rest was not looked for. */
  readonly excess?: 'items' | 'references';
}

/** Whether a deletion of an item of the type can concern others. */
export function mayConcernOthers(types: ItemTypes, code: string): boolean {
  return types.referrers(code).some(({ field }) => field.reference?.onDelete !== undefined);
}

/** @param root is locked: no item can begin to refer to it, nor to anything that is found */
export async function planRemoval(
  dependencies: WriteDependencies,
  root: PlannedItem,
  transaction: Transaction,
): Promise<RemovalPlan> {
  const find = createFinder(dependencies, transaction);
  const removed = new Map([[keyOf(root.type, root.id), root]]);
  let level: readonly PlannedItem[] = [root];
  while (level.length > 0 && removed.size <= maxConcerned + 1) {
    const found: FoundReference[] = [];
    for (const search of searchesFor(dependencies.types, level, isCascade)) {
      found.push(...(await find(search, `LIMIT ${maxConcerned + 2} FOR UPDATE OF t`)));
    }
    const next = new Map(found.filter(({ owner }) => !removed.has(owner)).map(({ owner, item }) => [owner, item]));
    for (const [key, item] of next) removed.set(key, item);
    level = [...next.values()];
  }
  if (removed.size > maxConcerned + 1) return { removed, inner: [], released: [], blocking: [], excess: 'items' };
  const rest = await findOthers(dependencies.types, removed, find);
  const concerned = removed.size - 1 + new Set(rest.released.map(({ owner }) => owner)).size;
  if (concerned > maxConcerned) return { removed, ...rest, excess: 'items' };
  return { removed, ...rest, ...(rest.inner.length > maxInner ? { excess: 'references' } : {}) };
}

async function findOthers(
  types: ItemTypes,
  removed: ReadonlyMap<string, PlannedItem>,
  find: Find,
): Promise<Pick<RemovalPlan, 'inner' | 'released' | 'blocking'>> {
  const inner: FoundReference[] = [];
  const released: FoundReference[] = [];
  const blocking: FoundReference[] = [];
  for (const search of searchesFor(types, [...removed.values()], () => true)) {
    const own = [...removed.values()].filter(({ type }) => type.descriptor.code === search.owner.descriptor.code);
    const ids = own.map(({ id }) => id);
    if (ids.length > 0 && inner.length <= maxInner) {
      inner.push(...(await find({ ...search, among: ids }, `LIMIT ${maxInner + 1}`)));
    }
    const limit = `LIMIT ${maxConcerned + 1}`;
    const rule = search.field.reference?.onDelete;
    if (rule === undefined) blocking.push(...(await find({ ...search, except: ids }, limit)));
    else if (rule !== 'cascade') {
      released.push(...(await find({ ...search, except: ids, isOnce: true }, `${limit} FOR NO KEY UPDATE OF t`)));
    }
  }
  return { inner, released, blocking };
}

function isCascade({ reference }: FieldDescriptor): boolean {
  return reference?.onDelete === 'cascade';
}

/** Which items of a type refer to some of a target by a field. */
interface Search {
  readonly owner: CompiledItemType;
  readonly field: FieldDescriptor;
  readonly targets: readonly string[];
  /** Owners that are meant, and that are not. */
  readonly among?: readonly string[];
  readonly except?: readonly string[];
  /** An item that refers to several of the targets is found once, for none of them. */
  readonly isOnce?: true;
}

type Find = (search: Search, end: string) => Promise<readonly FoundReference[]>;

function searchesFor(
  types: ItemTypes,
  targets: readonly PlannedItem[],
  isMeant: (field: FieldDescriptor) => boolean,
): readonly Search[] {
  const codes = new Set(targets.map(({ type }) => type.descriptor.code));
  return [...codes].flatMap((code) => {
    const ids = targets.filter(({ type }) => type.descriptor.code === code).map(({ id }) => id);
    return types
      .referrers(code)
      .filter(({ field }) => isMeant(field))
      .flatMap(({ type, field }: Referrer): readonly Search[] => {
        const owner = types.find(type.code);
        return owner === undefined ? [] : [{ owner, field, targets: ids }];
      });
  });
}

function createFinder({ sequelize }: WriteDependencies, transaction: Transaction): Find {
  return async (search, end) => {
    const { owner, field, targets, among, except } = search;
    const owners = among ?? except;
    const bind = owners === undefined ? [targets] : [targets, owners];
    const [rows] = await sequelize.query(`${searchStatement(search)} ORDER BY t.id ${end}`, { bind, transaction });
    return (rows as readonly { readonly id: string; readonly target: string }[]).map(({ id, target }) => ({
      item: { type: owner, id },
      field,
      targetId: target,
      owner: keyOf(owner, id),
      target: `${field.reference?.target} ${target}`,
      by: field.name,
      // Without a link within it, a value is still one.
      isOptional: !field.required || (field.links !== undefined && field.kind.links?.rows === undefined),
    }));
  };
}

/** Parameters: ids of the targets, ids of owners. Rows: `id`, `target`. */
function searchStatement({ owner, field, among, except, isOnce }: Search): string {
  const table = quoteIdentifier(owner.descriptor.table);
  const limits =
    (among === undefined ? '' : ' AND t.id = ANY($2::bigint[])') +
    (except === undefined ? '' : ' AND t.id <> ALL($2::bigint[])');
  if (!isLinked(field)) {
    const column = `t.${quoteIdentifier(field.column)}`;
    return `SELECT t.id::text AS id, ${column}::text AS target FROM ${table} t WHERE ${column} = ANY($1::bigint[])${limits}`;
  }
  const links = quoteIdentifier(field.reference?.linkTable ?? '');
  const to = linkColumnOf(field);
  if (isOnce === true) {
    const owners = `SELECT l.item_id FROM ${links} l WHERE l.${to} = ANY($1::bigint[])`;
    return `SELECT t.id::text AS id, '' AS target FROM ${table} t WHERE t.id IN (${owners})${limits}`;
  }
  return (
    `SELECT t.id::text AS id, l.${to}::text AS target FROM ${table} t JOIN ${links} l ON l.item_id = t.id` +
    ` WHERE l.${to} = ANY($1::bigint[])${limits}`
  );
}

/** Names an item of any type. */
export function keyOf({ descriptor }: CompiledItemType, id: string): string {
  return `${descriptor.code} ${id}`;
}

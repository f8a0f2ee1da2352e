import { GantryError } from '@gantry/plugin-api';
import { isUniqueKey, type BoundCriterion } from '../query/criteria';
import type { CompiledItemType, ItemTypeDescriptor } from '../compile/descriptor';
import type { RowText } from '../read/item-repository';
import type { JsonObject } from '@gantry/core-common';
import { isOneStatement, updateOne } from './one-statement';
import { parsePayload } from './values/payload';
import type { RemoveOptions } from './remove/confirmation';
import { mayConcernOthers } from './remove/removal-plan';
import { writableType } from '../policy/scope';
import { assertSound } from './reference-check';
import type { WriteDependencies, WrittenRow } from './write-dependencies';
import { inside } from './write-transaction';

/** Items that are changed or removed at once. */
const maxWritten = 1_000;

/** Changes all items that meet the criteria when they are changed; see the item writer. */
export async function updateWhere(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  criteria: readonly BoundCriterion[],
  payload: JsonObject,
): Promise<readonly WrittenRow[]> {
  const { scope } = dependencies;
  const type = writableType(scope, 'update', given);
  const { descriptor } = type;
  assertChosen(descriptor, 'update', criteria);
  const { values, problems } = parsePayload(descriptor, payload, 'update');
  // A value that is refused may be the one that an item has.
  if (problems.length === 0) await assertSound(dependencies, descriptor, 'update', values, []);
  const mayBeOne = problems.length === 0 && isUniqueKey(descriptor, criteria);
  if (mayBeOne && isOneStatement(dependencies, type, values)) {
    const row = await updateOne(dependencies, type, criteria, values);
    return row === undefined ? [] : [row];
  }
  return inside(dependencies, async (inner) => {
    const rows: WrittenRow[] = [];
    const chosen = await lockChosen(inner, descriptor, 'update', criteria);
    if (chosen.length === 0) await assertSound(inner, descriptor, 'update', values, problems);
    for (const { id, version } of chosen) {
      const row = await inner.single.update(inner, type, id, payload, {});
      if (row.version !== version) rows.push(row);
    }
    return rows;
  });
}

/** Removes all items that meet the criteria; see the item writer. */
export async function removeWhere(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  criteria: readonly BoundCriterion[],
  options: RemoveOptions,
): Promise<readonly RowText[]> {
  const { scope } = dependencies;
  const type = writableType(scope, 'delete', given);
  const { descriptor } = type;
  assertChosen(descriptor, 'delete', criteria);
  return inside(dependencies, async (inner) => {
    const chosen = await lockChosen(inner, descriptor, 'delete', criteria);
    const rows = new Map<string, RowText>();
    for (const { id } of chosen) {
      const row = await inner.repository.get(scope, descriptor, id);
      if (row !== undefined) rows.set(id, row);
    }
    const mayGoTogether = mayConcernOthers(inner.types, descriptor.code);
    for (const [index, { id }] of chosen.entries()) {
      // An item that refers to another may have been deleted with it.
      const isThere =
        index === 0 || !mayGoTogether || (await inner.repository.get(scope, descriptor, id)) !== undefined;
      if (isThere) await inner.single.remove(inner, type, id, options);
    }
    return [...rows.values()];
  });
}

/** Criteria that are empty by mistake must not mean all items. */
function assertChosen(
  type: ItemTypeDescriptor,
  action: 'update' | 'delete',
  criteria: readonly BoundCriterion[],
): void {
  if (criteria.length > 0) return;
  throw new GantryError('BAD_REQUEST', `Failed to ${action} ${type.displayName}: pass at least one criterion.`);
}

async function lockChosen(
  { scope, repository }: WriteDependencies,
  type: ItemTypeDescriptor,
  action: 'update' | 'delete',
  criteria: readonly BoundCriterion[],
): Promise<readonly { readonly id: string; readonly version: number }[]> {
  const lock = action === 'update' ? 'NO KEY UPDATE' : 'UPDATE';
  const chosen = await repository.lock(scope, type, criteria, lock, maxWritten + 1);
  if (chosen.length <= maxWritten) return chosen;
  throw new GantryError(
    'BAD_REQUEST',
    `Failed to ${action} ${type.displayName}: more than ${maxWritten} items meet the criteria. Use criteria that select fewer items.`,
  );
}

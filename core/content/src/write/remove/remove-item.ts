import { GantryError, isGantryError, type BaseItem } from '@gantry/plugin-api';
import type { Transaction } from 'sequelize';
import { orderRemovals, parseWrittenJson, type RemovalStep } from '@gantry/core-common';
import { type CompiledItemType, isLinked } from '../../compile/descriptor';
import type { StoredValue } from '../../kinds/field-kind';
import { isOf } from '../../kinds/links';
import { assertPrecondition } from '../precondition';
import { assertRowDeletable, rowRightsOf } from '../row-rights';
import { loadLocked, loadShown } from '../load-item';
import { currentValues } from '../rows/load-row';
import { updateRows } from '../rows/update-rows';
import { sessionIn, inTransaction, translateError } from '../write-transaction';
import { writableType } from '../../policy/scope';
import type { WriteDependencies } from '../write-dependencies';
import { referencedProblem } from '../write-problems';
import { isConfirmed, type RemoveOptions } from './confirmation';
import { leftReferenceProblem } from './left-reference';
import { mayConcernOthers, planRemoval, type FoundReference, type PlannedItem, type RemovalPlan } from './removal-plan';
import { confirmationRequired, effectsOf, refusal, requiredCycle, tooLarge, type Denied } from './removal-problems';
import { concernedItems, verdictOn, type ConcernedItem } from './removal-rights';

/** Deletes an item, and what the references to it say; see the item writer. */
export async function remove(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  id: string,
  options: RemoveOptions,
): Promise<void> {
  const type = writableType(dependencies.scope, 'delete', given);
  const { descriptor } = type;
  try {
    await inTransaction(dependencies, async (transaction) => {
      const item = await loadShown(type, id, { transaction, lock: transaction.LOCK.UPDATE });
      const { query } = sessionIn(dependencies, transaction);
      assertRowDeletable(descriptor, await rowRightsOf(descriptor, id, query), id);
      assertPrecondition(descriptor, item, options);
      if (mayConcernOthers(dependencies.types, descriptor.code)) {
        await removeWithOthers(dependencies, { type, id }, options, transaction);
      } else await item.destroy({ transaction });
    });
  } catch (error) {
    throw await translateError(dependencies, error, {
      type: descriptor,
      action: 'delete',
      describeForeignKey: async () =>
        (await leftReferenceProblem(dependencies, descriptor, id, error)) ??
        referencedProblem({ types: dependencies.scope.policy.types, query: dependencies.query }, descriptor, id),
    });
  }
}

/** Everything that is concerned is locked before it is counted, so that what is confirmed is what happens. */
async function removeWithOthers(
  dependencies: WriteDependencies,
  root: PlannedItem,
  { confirmed }: RemoveOptions,
  transaction: Transaction,
): Promise<void> {
  const plan = await planRemoval(dependencies, root, transaction);
  if (plan.excess !== undefined) throw tooLarge(root, plan.excess);
  const concerned = concernedItems(plan);
  const denied = await deniedOf(dependencies, concerned, transaction);
  const { blocking } = plan;
  if (blocking.length + denied.length > 0) throw await refusal(dependencies, root, { blocking, denied }, transaction);
  const effects = await effectsOf(dependencies, concerned, transaction);
  if (!isConfirmed(effects, confirmed)) throw confirmationRequired(root, effects, confirmed !== undefined);
  const steps = orderRemovals(plan.removed.keys(), plan.inner);
  if (steps === undefined) throw requiredCycle(root);
  const changed = concerned.filter(({ action }) => action === 'update');
  for (const one of changed) await releaseAll(dependencies, one, plan, transaction);
  // A policy may allow a change by the reference that is gone now.
  const lost = await deniedOf(dependencies, changed, transaction);
  if (lost.length > 0) {
    const all = lost.map(({ concerned: one }): Denied => ({ concerned: one, verdict: 'denied' }));
    throw await refusal(dependencies, root, { blocking: [], denied: all }, transaction);
  }
  for (const step of steps) await applyStep(dependencies, step, plan, transaction);
}

async function deniedOf(
  dependencies: WriteDependencies,
  concerned: readonly ConcernedItem[],
  transaction: Transaction,
): Promise<readonly Denied[]> {
  const denied: Denied[] = [];
  for (const one of concerned) {
    const verdict = await verdictOn(dependencies, one, transaction);
    if (verdict !== 'allowed') denied.push({ concerned: one, verdict });
  }
  return denied;
}

async function releaseAll(
  dependencies: WriteDependencies,
  { item: { type, id }, fields }: ConcernedItem,
  { removed }: RemovalPlan,
  transaction: Transaction,
): Promise<void> {
  const item = await loadIfThere({ type, id }, transaction);
  if (item === undefined) return;
  const session = sessionIn(dependencies, transaction);
  const names = new Set(fields.filter((field) => field.links !== undefined || isLinked(field)).map(({ name }) => name));
  const current = await currentValues(session, type.descriptor, id, names);
  const values = new Map<string, StoredValue>();
  for (const field of fields) {
    const value = current.get(field.name) ?? null;
    if (field.links !== undefined) values.set(field.name, withoutLinks({ type, id }, field.name, value, removed));
    else if (Array.isArray(value)) {
      const isGone = (target: string): boolean => removed.has(`${field.reference?.target} ${target}`);
      values.set(
        field.name,
        (value as readonly string[]).filter((target) => !isGone(target)),
      );
    } else values.set(field.name, null);
  }
  await updateRows(session, type, [{ id, values, right: 'none', item }]);
}

/** The value of a field without its links to items that are deleted. */
function withoutLinks(
  { type: { descriptor }, id }: PlannedItem,
  name: string,
  stored: StoredValue,
  removed: RemovalPlan['removed'],
): StoredValue {
  const field = descriptor.fields.find((one) => one.name === name);
  if (field?.kind.links === undefined || stored === null) return null;
  const { kind, links } = field;
  const value = field.kind.links.map(parseWrittenJson(kind.toFileJson(String(stored))), (link) => {
    const target = links?.targets.find((one) => isOf(one, link.type));
    return removed.has(`${target?.target} ${link.id}`) ? undefined : link;
  });
  if (value === null) return null;
  const parsed = kind.parse(value, field);
  if (parsed.ok) return parsed.value;
  throw new GantryError(
    'CONFLICT',
    `Failed to change ${descriptor.displayName} ${id}: without the link, ${field.name} ${parsed.message}. Change it first.`,
  );
}

async function applyStep(
  dependencies: WriteDependencies,
  step: RemovalStep<FoundReference>,
  plan: RemovalPlan,
  transaction: Transaction,
): Promise<void> {
  if (step.kind === 'release') {
    const { item, field } = step.reference;
    await releaseAll(dependencies, { item, action: 'update', fields: [field] }, plan, transaction);
    return;
  }
  const item = plan.removed.get(step.item);
  const stored = item && (await loadIfThere(item, transaction));
  await stored?.destroy({ transaction });
}

/** A hook of an item that was changed or deleted before may have deleted this one. */
async function loadIfThere({ type, id }: PlannedItem, transaction: Transaction): Promise<BaseItem | undefined> {
  try {
    return await loadLocked(type, id, { transaction, lock: transaction.LOCK.UPDATE });
  } catch (error) {
    if (isGantryError(error) && error.code === 'ITEM_NOT_FOUND') return undefined;
    throw error;
  }
}

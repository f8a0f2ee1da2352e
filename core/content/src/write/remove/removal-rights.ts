import type { Transaction } from 'sequelize';
import type { FieldDescriptor } from '../../compile/descriptor';
import { mayDo } from '../../policy/scope';
import { rowRightsOf, type RowRights } from '../row-rights';
import { sessionIn } from '../write-transaction';
import type { WriteDependencies } from '../write-dependencies';
import type { FoundReference, PlannedItem, RemovalPlan } from './removal-plan';

/** An item and what happens to it besides the deletion that was asked for. */
export interface ConcernedItem {
  readonly item: PlannedItem;
  readonly action: 'delete' | 'update';
  /** Its references that are emptied; none where it is deleted. */
  readonly fields: readonly FieldDescriptor[];
}

/** Whether the scope may do it; `hidden` where it does not even see the item. */
export type Verdict = 'allowed' | 'denied' | 'hidden';

/** Other items that a deletion deletes or changes, each once. */
export function concernedItems({ removed, released }: RemovalPlan): readonly ConcernedItem[] {
  const [, ...deleted] = removed.values();
  const changed = new Map<string, FoundReference[]>();
  for (const reference of released) changed.set(reference.owner, [...(changed.get(reference.owner) ?? []), reference]);
  return [
    ...deleted.map((item): ConcernedItem => ({ item, action: 'delete', fields: [] })),
    ...[...changed.values()].flatMap((references): readonly ConcernedItem[] => {
      const [first] = references;
      if (first === undefined) return [];
      return [{ item: first.item, action: 'update', fields: references.map(({ field }) => field) }];
    }),
  ];
}

/** Asked before an item is deleted or changed, and after it is changed. */
export async function verdictOn(
  dependencies: WriteDependencies,
  concerned: ConcernedItem,
  transaction: Transaction,
): Promise<Verdict> {
  const { scope } = dependencies;
  const { item, action, fields } = concerned;
  const type = scope.policy.types.findServed(item.type.descriptor.code);
  if (type === undefined) return 'hidden';
  const rights = await rowRightsOf(type.descriptor, item.id, sessionIn(dependencies, transaction).query);
  if (rights !== undefined && !rights.isShown) return 'hidden';
  if (!mayDo(scope, action, type)) return 'denied';
  if (action === 'delete') return rights?.mayDelete === false ? 'denied' : 'allowed';
  return maySet(type.descriptor.fields, fields, rights) ? 'allowed' : 'denied';
}

function maySet(
  shown: readonly FieldDescriptor[],
  wanted: readonly FieldDescriptor[],
  rights: RowRights | undefined,
): boolean {
  const names = wanted.map(({ name }) => name);
  const editable = new Set(shown.filter(({ editableOnUpdate }) => editableOnUpdate).map(({ name }) => name));
  if (!names.every((name) => editable.has(name))) return false;
  return (
    rights === undefined || (names.every((name) => rights.shows(name)) && rights.refused('update', names).length === 0)
  );
}

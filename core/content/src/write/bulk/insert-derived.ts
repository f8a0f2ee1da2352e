import type { ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import { derivedKeys, isKeyTaken, takeFreeValues, type NewValues, type ReadValues } from '../values/free-values';
import type { BulkOutcome } from './bulk-write';

/** How often values are looked for that others take at the same time. */
const attempts = 5;

interface InsertDerived {
  readonly read: ReadValues;
  /** Ids of the new items, where they are given them. */
  readonly ids: readonly string[] | undefined;
  insert(rows: readonly StoredValues[], ids: readonly string[] | undefined): Promise<readonly BulkOutcome[]>;
}

/** Creates items whose values were made from others; those that are part of a key get the first alternative that is free. */
export async function insertDerived(
  type: ItemTypeDescriptor,
  items: readonly NewValues[],
  { read, ids, insert }: InsertDerived,
): Promise<readonly BulkOutcome[]> {
  if (items.every(({ derived }) => derivedKeys(type, derived).length === 0)) {
    return insert(
      items.map(({ values }) => values),
      ids,
    );
  }
  const outcomes = new Map<number, BulkOutcome>();
  let pending = items.map((_item, index) => index);
  for (let attempt = 1; pending.length > 0 && attempt <= attempts; attempt += 1) {
    const own = pending.flatMap((index) => items[index] ?? []);
    const rows = await takeFreeValues(type, own, read);
    const found = await insert(rows, ids && pending.map((index) => ids[index] ?? ''));
    for (const [position, outcome] of found.entries()) outcomes.set(pending[position] ?? -1, outcome);
    pending = pending.filter((index, position) => isToTryAgain(type, items[index], found[position]));
  }
  return items.flatMap((_item, index) => outcomes.get(index) ?? []);
}

function isToTryAgain(
  type: ItemTypeDescriptor,
  item: NewValues | undefined,
  outcome: BulkOutcome | undefined,
): boolean {
  if (outcome?.status !== 'refused' || item === undefined) return false;
  const isCollision = outcome.problems.every(({ code }) => code === 'NOT_UNIQUE');
  const fields = outcome.collision?.fields ?? outcome.problems.map(({ path }) => path);
  return isCollision && isKeyTaken(derivedKeys(type, item.derived), fields);
}

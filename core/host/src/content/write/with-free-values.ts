import { isGantryError } from '@gantry/plugin-api';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import {
  derivedKeys,
  isKeyTaken,
  lockNames,
  lockStatement,
  takeFreeValues,
  type NewValues,
  type ReadValues,
} from './free-values';
import type { WriteDependencies, WrittenRow } from './write-dependencies';
import { inside } from './write-transaction';

/** How often a value is looked for that others take at the same time. */
const attempts = 5;

/**
 * Creates an item whose values were made from others: those that are part of a key get the first alternative that is free.
 * @param type all of it, whatever a policy shows
 */
export async function withFreeValues(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  item: NewValues,
  create: (dependencies: WriteDependencies, values: StoredValues) => Promise<WrittenRow>,
): Promise<WrittenRow> {
  const keys = derivedKeys(type, item.derived);
  if (keys.length === 0) return create(dependencies, item.values);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inside(dependencies, async (inner) => {
        const read: ReadValues = async (sql, values) =>
          (await inner.query({ sql, values })).map(([value]) => String(value));
        // A longer transaction would hold many: others would wait for its end at the index as well.
        if (dependencies.parent === undefined) await read(lockStatement, [lockNames(type, item.values, keys)]);
        const [values = item.values] = await takeFreeValues(type, [item], read);
        return create(inner, values);
      });
    } catch (error) {
      // One that was given the value, and not made, is under no lock.
      const isTaken =
        isGantryError(error) &&
        error.code === 'CONFLICT' &&
        isKeyTaken(
          keys,
          (error.details ?? []).map(({ path }) => path),
        );
      if (!isTaken || attempt === attempts) throw error;
    }
  }
}

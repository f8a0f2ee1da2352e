import { isGantryError } from '@gantry/plugin-api';
import type { CompiledItemType } from '../../compile/descriptor';
import type { StoredValues } from '../../kinds/field-kind';
import {
  derivedKeys,
  isKeyTaken,
  lockNames,
  lockStatement,
  takeFreeValues,
  type NewValues,
  type ReadValues,
} from './free-values';
import { isPlainWrite } from '../plain-model';
import type { WriteDependencies, WrittenRow } from '../write-dependencies';
import { inside } from '../write-transaction';

/** How often a value is looked for that others take at the same time. */
const attempts = 5;

/**
 * Creates an item whose values were made from others: those that are part of a key get the first alternative that is free. Most are free
 * as they were made; where that costs no hook that has run, it is tried first.
 */
export async function withFreeValues(
  dependencies: WriteDependencies,
  given: CompiledItemType,
  item: NewValues,
  create: (dependencies: WriteDependencies, values: StoredValues) => Promise<WrittenRow>,
): Promise<WrittenRow> {
  const { descriptor, stored: type = descriptor } = given;
  const keys = derivedKeys(type, item.derived);
  if (keys.length === 0) return create(dependencies, item.values);
  for (let attempt = isPlainWrite(given, 'create', dependencies.hooks) ? 0 : 1; ; attempt += 1) {
    try {
      if (attempt === 0) return await create(dependencies, item.values);
      return await inside(dependencies, async (inner) => {
        const read: ReadValues = async (sql, values) =>
          (await inner.query({ sql, values })).map(([value]) => String(value));
        // A longer transaction would hold many: others would wait for its end at the index as well.
        if (dependencies.parent === undefined) await read(lockStatement, [lockNames(type, item.values, keys)]);
        const [values = item.values] = await takeFreeValues(type, [item], read);
        return create(inner, values);
      });
    } catch (error) {
      if (!isGantryError(error) || error.code !== 'CONFLICT') throw error;
      // A value that was sent, and not derived, is under no lock.
      const paths = (error.details ?? []).map(({ path }) => path);
      const isTaken = attempt === 0 || isKeyTaken(keys, paths);
      if (!isTaken || attempt === attempts) throw error;
    }
  }
}

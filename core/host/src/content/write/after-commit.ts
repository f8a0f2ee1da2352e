import type { BulkWriter } from './bulk/bulk-writer';
import type { ItemWriter } from './item-writer';

/** The same writer; `notify` is called when a write is committed. It must be quick and must not throw. */
export function notifyAfterWrites(writer: ItemWriter, notify: () => void): ItemWriter {
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    notify();
    return result;
  };
  return {
    ...writer,
    create: (...args) => after(writer.create(...args)),
    update: (...args) => after(writer.update(...args)),
    remove: (...args) => after(writer.remove(...args)),
    updateWhere: (...args) => after(writer.updateWhere(...args)),
    removeWhere: (...args) => after(writer.removeWhere(...args)),
    createIfAbsent: (...args) => after(writer.createIfAbsent(...args)),
    upsert: (...args) => after(writer.upsert(...args)),
    revert: (...args) => after(writer.revert(...args)),
    recreate: (...args) => after(writer.recreate(...args)),
    transaction: (scope, work) => after(writer.transaction(scope, work)),
  };
}

/** The same for imports. */
export function notifyAfterBulk(writer: BulkWriter, notify: () => void): BulkWriter {
  return {
    ...writer,
    async transaction(scope, work, signal) {
      const result = await writer.transaction(scope, work, signal);
      notify();
      return result;
    },
  };
}

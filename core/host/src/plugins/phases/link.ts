import { performance } from 'node:perf_hooks';
import { enter, addTiming, type PluginRecord } from '../record/plugin-record';

/** Measures the phase `link`, whose work is done once for all plugins. */
export async function link<T>(records: readonly PluginRecord[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (const record of records) enter(record, 'link');
  try {
    return await work();
  } finally {
    for (const record of records) addTiming(record, 'link', performance.now() - startedAt);
  }
}

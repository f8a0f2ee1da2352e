import { performance } from 'node:perf_hooks';
import { addTiming, enter } from '../record/plugin-record';
import type { PluginSet } from './plugin-set';

/**
 * Links all plugins at once, because their types refer to one another. The work fails those that it cannot link.
 * @param work knows item types and the database
 */
export async function linkAll<T>(set: PluginSet, work: () => Promise<T>): Promise<T> {
  const records = set.active();
  const startedAt = performance.now();
  for (const record of records) enter(record, 'link');
  try {
    return await work();
  } finally {
    for (const record of records) addTiming(record, 'link', performance.now() - startedAt);
  }
}

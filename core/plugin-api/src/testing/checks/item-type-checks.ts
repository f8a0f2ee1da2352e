import { inputChecks } from './input-checks';
import { metadataChecks } from './metadata-checks';
import type { PluginCheck } from './plugin-check';
import { readingChecks } from './reading-checks';
import { writingChecks } from './writing-checks';

/** Checks of an item type: described, created, read, found, changed, deleted, and fed with bad input. */
export function itemTypeChecks(type: string): readonly PluginCheck[] {
  return [...metadataChecks(type), ...readingChecks(type), ...writingChecks(type), ...inputChecks(type)].map(
    ({ name, run }) => ({ name: `${type} ${name}`, run: async (bench) => run(await bench.platform()) }),
  );
}

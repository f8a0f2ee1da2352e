import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { dropPlugin } from '../../support/drop-plugin';

const project = join(__dirname, '../../..');

export interface QueuePlugins {
  /** Relative to the project. */
  readonly folders: readonly string[];
  remove(): void;
}

/** Plugins with a task queue each. Their workers take less processor time than those of services, which have workflows. */
export function makeQueuePlugins(count: number): QueuePlugins {
  const parent = mkdtempSync(join(tmpdir(), 'gantry-queues-'));
  const folders = Array.from({ length: count }, (_, index) => {
    const id = `queue${index}`;
    return relative(project, dropPlugin(parent, { id, start: '', taskQueue: `${id}-tq` }));
  });
  return { folders, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

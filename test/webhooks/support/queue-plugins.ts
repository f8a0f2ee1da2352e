import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

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
    const folder = join(parent, id);
    mkdirSync(folder);
    const manifest = {
      name: `sample-${id}`,
      version: '1.0.0',
      main: './index.js',
      peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
      gantry: {
        ...{ manifestVersion: 1, id, displayName: id },
        contributes: { itemTypes: [], taskQueues: [`${id}-tq`], routes: [] },
      },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const service = `{ taskQueue: '${id}-tq', activities: () => ({ async rest() {} }) }`;
    const code = `module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}', service: ${service} });`;
    writeFileSync(join(folder, 'index.js'), code);
    return relative(project, folder);
  });
  return { folders, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

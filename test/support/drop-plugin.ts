import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DroppedPlugin {
  readonly id: string;
  /** Body of its start. */
  readonly start: string;
  /** Further members of its package.json. */
  readonly json?: object;
  /** Runs when the code is loaded. */
  readonly load?: string;
  /** Further members of its manifest. */
  readonly gantry?: object;
  /** That of a service with one activity. */
  readonly taskQueue?: string;
}

/** Puts a plugin package into a plugin folder, also in place of one that is there. @returns its folder */
export function dropPlugin(plugins: string, plugin: DroppedPlugin): string {
  const { id, start, json = {}, load = '', gantry, taskQueue } = plugin;
  const folder = join(plugins, id);
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: `sample-${id}`,
    version: '1.0.0',
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    ...json,
    gantry: {
      ...{ manifestVersion: 1, id, displayName: id, ...gantry },
      ...(taskQueue && { contributes: { taskQueues: [taskQueue] } }),
    },
  };
  const service =
    taskQueue === undefined ? '' : `service: { taskQueue: '${taskQueue}', activities: () => ({ async rest() {} }) }, `;
  const code = `${load}module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}', ${service}async start() { ${start} } });`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.js'), code);
  return folder;
}

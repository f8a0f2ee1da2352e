import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a plugin package that contributes item types.
 * @param manifest of the plugin: id, displayName, codes of its types, ranges of plugins by id
 * @param source of its module
 */
export function writePlugin(folder, { id, displayName = id, itemTypes, dependsOn = {} }, source) {
  const own = join(folder, id);
  mkdirSync(own);
  const manifest = {
    name: `gantry-plugin-${id}`,
    version: '1.0.0',
    main: './index.js',
    keywords: ['gantry-plugin'],
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: {
      manifestVersion: 1,
      ...{ id, displayName, dependsOn },
      contributes: { itemTypes, taskQueues: [], routes: [] },
    },
  };
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(own, 'index.js'), source);
}

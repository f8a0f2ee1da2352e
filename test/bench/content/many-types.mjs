import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../lib/servers.mjs';

/** Starts a host with many types twice: on an empty database and on a warm one; then asks for metadata from memory. */
export async function startWithManyTypes(database, { plugins, typesEach }) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-plugins-'));
  for (let index = 0; index < plugins; index += 1) writePlugin(folder, index, typesEach);
  try {
    const environment = { GANTRY_PLUGIN_PATH: folder };
    const cold = await startHost(database, environment);
    await cold.stop();
    const warm = await startHost(database, environment);
    const typesMs = await timeOf(`${warm.address}/api/cms/items/types`);
    const metadataMs = await timeOf(`${warm.address}/api/cms/items/${warm.types[0]}/metadata`);
    await warm.stop();
    return {
      types: warm.types.length,
      plugins,
      firstStartMs: cold.readyMs,
      warmStartMs: warm.readyMs,
      typesMs,
      metadataMs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeOf(url) {
  await (await fetch(url)).arrayBuffer();
  const startedAt = performance.now();
  await (await fetch(url)).arrayBuffer();
  return performance.now() - startedAt;
}

function writePlugin(folder, index, typesEach) {
  const id = `bench${index}`;
  const own = join(folder, id);
  mkdirSync(own);
  const names = Array.from({ length: typesEach }, (_, type) => `Bench${index}Type${type}`);
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest(id, names)));
  writeFileSync(join(own, 'index.js'), source(id, names));
}

function manifest(id, names) {
  return {
    name: `gantry-plugin-${id}`,
    version: '1.0.0',
    main: './index.js',
    keywords: ['gantry-plugin'],
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: {
      manifestVersion: 1,
      id,
      displayName: id,
      contributes: { itemTypes: names.map((name) => name.toLowerCase()), taskQueues: [], routes: [] },
    },
  };
}

function source(id, names) {
  const classes = names.map(
    (name) => `class ${name} extends BaseItem {}
Field({ displayName: 'Code', searchable: true, required: true })(${name}.prototype, 'code');
Field({ displayName: 'Title', searchable: true })(${name}.prototype, 'title');
Field({ displayName: 'Amount', type: 'NUMBER', searchable: true })(${name}.prototype, 'amount');
Field({ displayName: 'Text', type: 'TEXT' })(${name}.prototype, 'text');
ItemType({ unique: [['code']] })(${name});`,
  );
  return `const { BaseItem, Field, ItemType, definePlugin } = require('@gantry/plugin-api');
${classes.join('\n')}
exports.default = definePlugin({ id: '${id}', itemTypes: [${names.join(', ')}] });
`;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdministrator, createServiceAccount, withIdentity } from '../lib/identity.mjs';
import { startHost } from '../lib/servers.mjs';
import { writePlugin } from '../lib/write-plugin.mjs';

/**
 * Starts a host with many types twice: on an empty database and on a warm one; then asks for metadata from memory, and as users with
 * each of several roles, whose policies are made by the first request. Sign-in stays on in the database.
 */
export async function startWithManyTypes(database, { plugins, typesEach, roles }) {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-plugins-'));
  for (let index = 0; index < plugins; index += 1) writeTypes(folder, index, typesEach);
  try {
    const environment = { GANTRY_PLUGIN_PATH: folder };
    const cold = await startHost(database, environment);
    await cold.stop();
    const warm = await startHost(database, environment);
    const typesMs = await timeOf(`${warm.address}/api/cms/items/types`);
    const metadataMs = await timeOf(`${warm.address}/api/cms/items/${warm.types[0]}/metadata`);
    await warm.stop();
    const policies = await makePolicies(database, environment, { plugins, roles });
    return {
      types: warm.types.length,
      plugins,
      firstStartMs: cold.readyMs,
      warmStartMs: warm.readyMs,
      typesMs,
      metadataMs,
      ...policies,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds and megabytes that the policies of all roles take: the first request of each beside its second one. */
async function makePolicies(database, environment, { plugins, roles }) {
  const headers = await withIdentity(database, async (identity) => {
    await createAdministrator(identity);
    const accounts = [];
    for (let index = 0; index < roles; index += 1) {
      const name = `role-${index}`;
      const grants = Array.from({ length: plugins }, (_, plugin) => ({
        on: { plugin: `bench${plugin}` },
        actions: ['read', 'update'],
      }));
      await identity.roles.create({ name, displayName: name, description: '', grants, permissions: [] });
      accounts.push(await createServiceAccount(identity, `account-${index}`, [name]));
    }
    return accounts.map(({ header }) => ({ authorization: header.slice('authorization: '.length) }));
  });
  const host = await startHost(database, environment);
  // Its answer names no type, so that what is left is the credential.
  const url = `${host.address}/api/cms/items/none/metadata`;
  await timeOf(url, headers[0]);
  const memory = host.memory();
  let policiesMs = 0;
  for (const one of headers) policiesMs += (await requestMs(url, one)) - (await requestMs(url, one));
  const policiesMb = host.memory() - memory;
  await host.stop();
  return { roles, policiesMs, policiesMb };
}

async function timeOf(url, headers) {
  await requestMs(url, headers);
  return requestMs(url, headers);
}

async function requestMs(url, headers = {}) {
  const startedAt = performance.now();
  await (await fetch(url, { headers })).arrayBuffer();
  return performance.now() - startedAt;
}

function writeTypes(folder, index, typesEach) {
  const id = `bench${index}`;
  const names = Array.from({ length: typesEach }, (_, type) => `Bench${index}Type${type}`);
  writePlugin(folder, { id, itemTypes: names.map((name) => name.toLowerCase()) }, source(id, names));
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

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A plugin with one item type, whose text field has another name in some versions. `versions` says what each version is called, the name of the
 * field, and the names before it.
 */
export function createVaultPlugin(plugins) {
  const folder = join(plugins, 'vault');
  const versions = [{ version: '1.0.0', field: 'note0', earlier: [] }];
  const write = (index) => writeVersion(folder, versions[index]);
  write(0);
  return {
    id: 'vault',
    versions,
    latest: () => versions.length - 1,
    write,
    /** @param isRenamed whether the field has another name in it. @returns its index */
    addVersion(isRenamed) {
      const { field, earlier } = versions.at(-1);
      const version = `1.${versions.length}.0`;
      const renamed = { version, field: `note${versions.length}`, earlier: [...earlier, field] };
      versions.push(isRenamed ? renamed : { version, field, earlier });
      write(versions.length - 1);
      return versions.length - 1;
    },
  };
}

function writeVersion(folder, { version, field, earlier }) {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    ...{ name: 'proof-vault', version, main: './index.js' },
    peerDependencies: { '@gantry/plugin-api': '^1.0.0', 'sequelize-typescript': '^2.1.6' },
    gantry: {
      ...{ manifestVersion: 1, id: 'vault', displayName: 'Vault' },
      contributes: { itemTypes: ['vault'], routes: ['POST /vault/crash'] },
    },
  };
  const renamedFrom = earlier.length === 0 ? '' : `, renamedFrom: ${JSON.stringify(earlier)}`;
  const code = `
const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
class Vault extends BaseItem {}
const field = (name, options) => {
  Reflect.defineMetadata('design:type', String, Vault.prototype, name);
  Field(options)(Vault.prototype, name);
};
field('code', { displayName: 'Code', required: true, searchable: true });
field('${field}', { displayName: 'Note'${renamedFrom} });
ItemType({ displayName: 'Vault', columns: ['code'], unique: [['code']] })(Vault);
exports.default = definePlugin({
  id: 'vault',
  itemTypes: [Vault],
  register: ({ router }) =>
    router.add({
      method: 'POST',
      path: '/vault/crash',
      operationId: 'crash',
      summary: 'Crash',
      access: 'signed-in',
      async handler() {
        setTimeout(() => { throw new Error('the vault is broken'); }, 5);
        return {};
      },
    }),
});
`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.js'), code);
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The references of two types that refer to each other and to themselves with every rule of deletion.
 * @type {Readonly<Record<string, Readonly<Record<string, { target: string, rule: string, isList?: true, isRequired?: true }>>>>}
 */
export const references = {
  thing: {
    keep: { target: 'thing', rule: 'restrict' },
    loose: { target: 'thing', rule: 'setNull' },
    part: { target: 'thing', rule: 'cascade' },
    tags: { target: 'thing', rule: 'removeLink', isList: true },
    pins: { target: 'note', rule: 'restrict', isList: true },
    about: { target: 'note', rule: 'setNull' },
  },
  note: {
    of: { target: 'thing', rule: 'cascade', isRequired: true },
    next: { target: 'note', rule: 'setNull' },
    last: { target: 'note', rule: 'setNull' },
    seen: { target: 'thing', rule: 'removeLink', isList: true },
  },
};

/** Writes a plugin with these types into a folder of plugins. */
export function writeReferencePlugin(plugins) {
  const folder = join(plugins, 'graph');
  mkdirSync(folder, { recursive: true });
  const manifest = {
    ...{ name: 'proof-graph', version: '1.0.0', main: './index.js' },
    peerDependencies: { '@gantry/plugin-api': '^1.0.0', 'sequelize-typescript': '^2.1.6' },
    gantry: {
      ...{ manifestVersion: 1, id: 'graph', displayName: 'Graph' },
      contributes: { itemTypes: Object.keys(references), taskQueues: [], routes: [] },
    },
  };
  const fields = Object.entries(references).flatMap(([type, own]) =>
    Object.entries(own).map(([name, { target, rule, isList, isRequired }]) => {
      const options = [
        `displayName: '${name}', type: 'REFERENCE', targetEntity: () => types.${target}, onDelete: '${rule}'`,
        ...(isList ? ["cardinality: 'MULTIPLE'"] : []),
        ...(isRequired ? ['required: true'] : []),
      ];
      return `field(types.${type}, '${name}', { ${options.join(', ')} });`;
    }),
  );
  const code = `
const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
const types = { thing: class Thing extends BaseItem {}, note: class Note extends BaseItem {} };
const field = (type, name, options) => {
  Reflect.defineMetadata('design:type', options.type === undefined ? String : Object, type.prototype, name);
  Field(options)(type.prototype, name);
};
for (const type of Object.values(types)) field(type, 'code', { displayName: 'Code', required: true, searchable: true });
${fields.join('\n')}
for (const [name, type] of Object.entries(types)) ItemType({ displayName: name, columns: ['code'], unique: [['code']] })(type);
exports.default = definePlugin({ id: 'graph', itemTypes: Object.values(types) });
`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.js'), code);
}

import { plainFields } from '../../samples/assortment/lib/fields.js';
import { writePlugin } from '../lib/write-plugin.mjs';

/** Fields by which the lists are sorted. */
const searchable = new Set(['date', 'email', 'decimal']);

const kinds = Object.keys(plainFields);

/** The names of so many fields, each with the name of the field of the sample `assortment` whose kind it has. */
export function fieldsOf(count) {
  return Array.from({ length: count }, (_field, index) => {
    const kind = kinds[index % kinds.length];
    const round = Math.floor(index / kinds.length);
    return { kind, name: round === 0 ? kind : `${kind}${round}` };
  });
}

/** Writes a plugin with two types: `mixed` has a field of every kind, and `texts` the same fields as text. */
export function writeSpreadPlugin(folder, count) {
  const declared = fieldsOf(count).map(({ kind, name }) => {
    const options = { ...plainFields[kind], displayName: `Field ${name}`, searchable: searchable.has(name) };
    const text = { displayName: options.displayName, searchable: options.searchable, maxLength: 10_000 };
    // Several lines are no value of a STRING.
    const type = kind === 'text' ? { type: 'TEXT' } : {};
    return { name, mixed: options, texts: { ...text, ...type, maxLength: options.searchable ? 255 : 10_000 } };
  });
  writePlugin(folder, manifest, source(declared));
}

const manifest = {
  id: 'spread',
  displayName: 'Spread',
  itemTypes: ['mixed', 'texts'],
  dependsOn: { 'field-kinds': '>=0.1.0', media: '>=0.1.0' },
};

function source(declared) {
  return `const { BaseItem, Field, ItemType, definePlugin } = require('@gantry/plugin-api');
class Mixed extends BaseItem {}
class Texts extends BaseItem {}
for (const { name, mixed, texts } of ${JSON.stringify(declared)}) {
  Field(mixed)(Mixed.prototype, name);
  Field(texts)(Texts.prototype, name);
}
ItemType({ displayNamePlural: 'Mixed' })(Mixed);
ItemType({ displayName: 'Text', displayNamePlural: 'Texts' })(Texts);
exports.default = definePlugin({ id: 'spread', itemTypes: [Mixed, Texts] });
`;
}

import { BaseItem, definePlugin, Field, ItemType } from '@gantry/plugin-api';
import { fields } from './fields.js';

// Decorators are functions: without a compiler they are called by hand.
export class Supplier extends BaseItem {}
Field({ displayName: 'Code', required: true, searchable: true })(Supplier.prototype, 'code');
ItemType({ displayName: 'Supplier', unique: [['code']] })(Supplier);

/** A type with a field of every kind, which is also its table; the others take what was exported from it. */
export class Goods extends BaseItem {}
export class GoodsCsv extends BaseItem {}
export class GoodsJsonl extends BaseItem {}

for (const [type, displayName] of [
  [Goods, 'Goods'],
  [GoodsCsv, 'Goods from CSV'],
  [GoodsJsonl, 'Goods from JSON lines'],
]) {
  Field({ displayName: 'Code', required: true, searchable: true, maxLength: 60 })(type.prototype, 'code');
  for (const [name, options] of Object.entries(fields(() => Supplier))) Field(options)(type.prototype, name);
  ItemType({ displayName, displayNamePlural: displayName, unique: [['code']] })(type);
}

export default definePlugin({ id: 'assortment', itemTypes: [Supplier, Goods, GoodsCsv, GoodsJsonl] });

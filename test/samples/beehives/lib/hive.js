import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

// Decorators are functions: without a compiler they are called by hand.
export class Hive extends BaseItem {}

Field({ displayName: 'Name', searchable: true, required: true, maxLength: 60 })(Hive.prototype, 'name');
Field({ displayName: 'Kilograms', type: 'NUMBER', min: 0, searchable: true })(Hive.prototype, 'kilograms');

ItemType({ displayName: 'Hive', columns: ['name', 'kilograms'], unique: [['name']] })(Hive);

import { BaseItem, definePlugin, Field, ItemType } from '@gantry/plugin-api';

export class Relation extends BaseItem {}

const declare = (name, options) => Field(options)(Relation.prototype, name);
const linkTargets = ['catalog.Product', 'articles.Article'];

declare('title', { displayName: 'Title', required: true, searchable: true });
declare('about', { displayName: 'About', type: 'LINK', linkTargets, searchable: true, onDelete: 'setNull' });
declare('items', { displayName: 'See also', type: 'LINK', linkTargets, cardinality: 'MULTIPLE', onDelete: 'removeLink' });

ItemType({ displayName: 'Relation', unique: [['title']] })(Relation);

export default definePlugin({ id: 'related', itemTypes: [Relation] });

import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

// Decorators are functions: without a compiler they are called by hand.
export class Review extends BaseItem {}

Field({ displayName: 'Headline', placeholder: 'Keeps its edge', searchable: true, required: true })(Review.prototype, 'headline');
Field({ displayName: 'Stars', type: 'NUMBER', column: 'INTEGER', min: 1, max: 5, required: true, searchable: true })(Review.prototype, 'stars');
Field({ displayName: 'Text', type: 'TEXT' })(Review.prototype, 'text');
Field({
  displayName: 'Product',
  type: 'REFERENCE',
  targetEntity: 'catalog.Product',
  required: true,
  searchable: true,
  editableOnUpdate: false,
})(Review.prototype, 'product');
ItemType({
  displayName: 'Review',
  columns: ['headline', 'stars', 'product'],
  searchResult: ({ values }) => ({ label: String(values.headline), subLabel: `${values.stars} of 5 stars` }),
})(Review);

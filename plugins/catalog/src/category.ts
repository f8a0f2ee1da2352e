import { CatalogAwareItem, Field, ItemType, type Related } from '@gantry/plugin-api';
import { Catalog } from './catalog';

/** A node in the category tree of a catalog version. @public */
@ItemType({
  displayName: 'Category',
  icon: 'M4 4h7l9 9-7 7-9-9zM8 8v.2',
  columns: ['name', 'code', 'parent', 'catalog', 'catalogVersion'],
  unique: [['code', 'catalog', 'catalogVersion']],
})
export class Category extends CatalogAwareItem {
  @Field({ displayName: 'Name', placeholder: 'Garden tools', searchable: true })
  declare name: string | null;

  @Field({ displayName: 'Code', placeholder: 'garden-tools', searchable: true, required: true })
  declare code: string;

  @Field({
    displayName: 'Parent',
    type: 'REFERENCE',
    targetEntity: () => Category,
    searchable: true,
    help: 'The category above this one; empty at the top of the tree.',
  })
  declare parent: Related<Category> | null;

  // Required: without a catalog, nothing would keep two categories from having the same code.
  @Field({
    displayName: 'Catalog',
    type: 'REFERENCE',
    targetEntity: () => Catalog,
    searchable: true,
    required: true,
    editableOnUpdate: false,
  })
  declare catalog: Related<Catalog>;
}

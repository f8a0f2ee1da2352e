import { BaseItem } from './base-item';
import { Field } from './field';

/**
 * A base for types that live in a catalog version: STAGED until published, or ONLINE.
 * The type itself declares its `catalog` reference.
 * @public
 */
export abstract class CatalogAwareItem extends BaseItem {
  @Field({
    displayName: 'Catalog version',
    section: 'Publication',
    searchable: true,
    required: true,
    options: ['STAGED', 'ONLINE'],
    optionColors: { ONLINE: 'green' },
    default: 'STAGED',
    maxLength: 16,
  })
  declare catalogVersion?: 'STAGED' | 'ONLINE';
}

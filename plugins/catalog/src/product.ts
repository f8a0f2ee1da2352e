import { CatalogAwareItem, Field, ItemType, type Related } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { Catalog } from './catalog';

/** A product in a catalog version. @public */
@ItemType({
  displayName: 'Product',
  icon: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  columns: ['code', 'name', 'image', 'price', 'catalog', 'catalogVersion', 'approvalStatus'],
  unique: [['code', 'catalog', 'catalogVersion']],
  heading: 'name',
  editableColumns: ['name', 'price', 'approvalStatus'],
  attention: [{ title: 'Products to check', where: { approvalStatus: 'CHECK' } }],
})
export class Product extends CatalogAwareItem {
  @Field({ displayName: 'Code', placeholder: 'P-1000', searchable: true, required: true })
  declare code: string;

  @Field({ displayName: 'Name', placeholder: 'Folding spade', searchable: true })
  declare name: string | null;

  /** Text, because a JavaScript number cannot hold every decimal of 19 digits. */
  @Field({
    displayName: 'Price',
    type: 'NUMBER',
    column: DataType.DECIMAL(19, 4),
    placeholder: '24.90',
    searchable: true,
  })
  declare price: string | null;

  @Field({
    displayName: 'Catalog',
    type: 'REFERENCE',
    targetEntity: () => Catalog,
    required: true,
    editableOnUpdate: false,
  })
  declare catalog: Related<Catalog>;

  @Field({
    displayName: 'Approval status',
    section: 'Publication',
    searchable: true,
    required: true,
    options: ['CHECK', 'APPROVED', 'UNAPPROVED'],
    optionColors: { CHECK: 'yellow', APPROVED: 'green', UNAPPROVED: 'red' },
    default: 'CHECK',
    maxLength: 16,
  })
  declare approvalStatus?: 'CHECK' | 'APPROVED' | 'UNAPPROVED';

  @Field({ displayName: 'Image', type: 'IMAGE' })
  declare image: string | null;
}

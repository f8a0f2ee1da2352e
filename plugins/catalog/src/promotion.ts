import { BaseItem, Field, ItemType, type Related } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { Product } from './product';

/** A reduction of the price of some products. @public */
@ItemType({
  displayName: 'Promotion',
  icon: 'M4 10v4h3l9 4V6l-9 4zM19 10v4M8 14v4h3v-3',
  columns: ['name', 'code', 'discountPercentage', 'active', 'startsOn', 'endsOn'],
  unique: [['code']],
})
export class Promotion extends BaseItem {
  @Field({ displayName: 'Name', placeholder: 'Spring sale', searchable: true })
  declare name: string | null;

  @Field({ displayName: 'Code', placeholder: 'spring-sale', searchable: true, required: true })
  declare code: string;

  @Field({ displayName: 'Description', type: 'TEXT' })
  declare description: string | null;

  @Field({
    displayName: 'Discount percentage',
    type: 'NUMBER',
    column: DataType.DECIMAL(5, 2),
    placeholder: '12.5',
    searchable: true,
    min: 0,
    max: 100,
  })
  declare discountPercentage: string | null;

  @Field({ displayName: 'Active', section: 'Period', type: 'BOOLEAN', searchable: true, default: false })
  declare active?: boolean;

  @Field({ displayName: 'First day', section: 'Period', type: 'DATE', placeholder: '2026-03-01', searchable: true })
  declare startsOn: string | null;

  @Field({ displayName: 'Last day', section: 'Period', type: 'DATE', placeholder: '2026-03-31', searchable: true })
  declare endsOn: string | null;

  @Field({ displayName: 'Products', type: 'REFERENCE', targetEntity: () => Product, cardinality: 'MULTIPLE' })
  declare products: Related<Product>[];
}

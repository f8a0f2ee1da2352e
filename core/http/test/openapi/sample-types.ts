import { BaseItem, CatalogAwareItem, Field, ItemType, type ItemTypeClass, type Related } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { compileItemType, type ItemTypeDescriptor } from '@gantry/core-content';

@ItemType()
class Maker extends BaseItem {
  @Field({ displayName: 'Name', searchable: true, required: true })
  declare name: string;
}

@ItemType({ displayName: 'Machine', unique: [['code', 'catalogVersion']] })
class Machine extends CatalogAwareItem {
  @Field({
    displayName: 'Code',
    searchable: true,
    required: true,
    maxLength: 40,
    pattern: '[A-Z]{1,3}-\\d+',
    placeholder: 'M-1',
  })
  declare code: string;

  @Field({ displayName: 'Weight', type: 'NUMBER', column: DataType.DECIMAL(19, 4), searchable: true, min: 0 })
  declare weight: string | null;

  @Field({ displayName: 'Parts', type: 'NUMBER', column: DataType.INTEGER })
  declare parts: number | null;

  @Field({ displayName: 'For sale', type: 'BOOLEAN', default: true })
  declare forSale: boolean;

  @Field({
    displayName: 'Maker',
    type: 'REFERENCE',
    targetEntity: () => Maker,
    required: true,
    editableOnUpdate: false,
  })
  declare maker: Related<Maker>;

  @Field({ displayName: 'Resellers', type: 'REFERENCE', targetEntity: () => Maker, cardinality: 'MULTIPLE' })
  declare resellers: Related<Maker>[];

  @Field({ displayName: 'Manual', type: 'TEXT', help: 'For the buyer.' })
  declare manual: string | null;

  @Field({ displayName: 'Photo', type: 'IMAGE' })
  declare photo: string | null;
}

@ItemType({ readOnly: true })
class Sale extends BaseItem {
  @Field({ displayName: 'Machine', type: 'REFERENCE', targetEntity: () => Machine })
  declare machine: Related<Machine> | null;
}

export const sampleTypes: readonly ItemTypeDescriptor[] = [Maker, Machine, Sale].map((model) => compileSample(model));

function compileSample(model: ItemTypeClass): ItemTypeDescriptor {
  return compileItemType('workshop', model, (target) =>
    typeof target === 'string' ? { problem: target } : { plugin: 'workshop', className: target().name },
  );
}

import { Table } from 'sequelize-typescript';
import { assertLegacyDecorator } from './assert-legacy-decorator';
import { itemTypeOptions, setItemTypeOptions, type ItemTypeClass, type ItemTypeOptions } from './item-metadata';

/**
 * Declares a class as an item type. Its type code is the class name in lower case, its table
 * `<plugin id>_<type code>`.
 * @example
 * \@ItemType({ displayName: 'Product', columns: ['code', 'name', 'price'] })
 * export class Product extends CatalogAwareItem { … }
 * @public
 */
export function ItemType(options: ItemTypeOptions = {}): (target: ItemTypeClass) => void {
  if (typeof options === 'function') {
    const { name } = options as ItemTypeClass;
    throw new TypeError(`@ItemType needs parentheses: @ItemType({ … }) before the class ${name}`);
  }
  return (target: ItemTypeClass, context?: unknown) => {
    assertLegacyDecorator('@ItemType', context);
    if (itemTypeOptions(target)) throw new TypeError(`The class ${target.name} has @ItemType more than once`);
    setItemTypeOptions(target, options);
    const table = Table({ modelName: target.name, underscored: true, timestamps: true, version: true });
    (table as (model: ItemTypeClass) => void)(target);
  };
}

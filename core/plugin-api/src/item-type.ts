import { Table } from 'sequelize-typescript';
import { setItemTypeOptions, type ItemTypeClass, type ItemTypeOptions } from './item-metadata';

/**
 * Declares a class as an item type. Its type code is the class name in lower case, its table
 * `<plugin id>_<type code>`.
 * @example
 * \@ItemType({ displayName: 'Product', columns: ['code', 'name', 'price'] })
 * export class Product extends CatalogAwareItem { … }
 * @public
 */
export function ItemType(options: ItemTypeOptions = {}): (target: ItemTypeClass) => void {
  return (target) => {
    setItemTypeOptions(target, options);
    const table = Table({ modelName: target.name, underscored: true, timestamps: true, version: true });
    (table as (model: ItemTypeClass) => void)(target);
  };
}

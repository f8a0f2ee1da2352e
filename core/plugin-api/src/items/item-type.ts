import { Table } from 'sequelize-typescript';
import { assertLegacyDecorator } from './assert-legacy-decorator';
import { itemTypeOptions, setItemTypeOptions, type ItemTypeClass, type ItemTypeOptions } from './item-metadata';

/**
 * Declares a class as an item type. Its type code is the class name in lower case unless `code` is given, its table
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
    if (options.code !== undefined) nameAfter(options.code, target);
    setItemTypeOptions(target, options);
    const table = Table({ modelName: target.name, underscored: true, timestamps: true, version: true });
    (table as (model: ItemTypeClass) => void)(target);
  };
}

/** A minifier, and a bundler that renames, leave a class another name than its author has written. */
function nameAfter(code: string, target: ItemTypeClass): void {
  if (!/^[a-z][a-z0-9]{0,62}$/.test(code)) {
    const found = JSON.stringify(code);
    throw new TypeError(
      `code of @ItemType of the class ${target.name} must be a-z and 0-9, a letter first; got ${found}`,
    );
  }
  if (target.name.toLowerCase() === code) return;
  Object.defineProperty(target, 'name', { value: code.charAt(0).toUpperCase() + code.slice(1), configurable: true });
}

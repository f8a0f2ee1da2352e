import { assertLegacyDecorator } from './assert-legacy-decorator';
import { addOwnField, type FieldOptions } from './item-metadata';

/**
 * Declares a field of an item type: its column, its place in forms, tables and searches.
 * Writes metadata on the class and nothing else. A plain sequelize-typescript `@Column` may be used in addition
 * and then decides the column.
 * @example
 * \@Field({ displayName: 'Code', searchable: true, required: true }) declare code: string;
 * @public
 */
export function Field(options: FieldOptions): PropertyDecorator {
  if (!isOptions(options)) throw new TypeError('@Field needs options: @Field({ displayName: … })');
  const frozen = Object.freeze({ ...options });
  return (prototype, propertyKey) => {
    assertLegacyDecorator('@Field', propertyKey);
    if (typeof prototype === 'function') {
      throw new TypeError(`@Field before the static ${String(propertyKey)} of ${prototype.name}: leave out static`);
    }
    addOwnField(prototype.constructor, { name: String(propertyKey), options: frozen });
  };
}

/** Without parentheses, compilers call the decorator itself with the prototype, or with nothing and a context. */
function isOptions(value: unknown): value is FieldOptions {
  return typeof value === 'object' && value !== null && !Object.hasOwn(value, 'constructor');
}

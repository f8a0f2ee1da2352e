import { addOwnField, type FieldOptions } from './item-metadata';

/**
 * Declares a field of an item type: its column, its place in forms, tables and searches.
 * Writes metadata on the class and nothing else. A plain sequelize-typescript `@Column` may stand beside it
 * and then decides the column.
 * @example
 * \@Field({ displayName: 'Code', searchable: true, required: true }) declare code: string;
 * @public
 */
export function Field(options: FieldOptions): PropertyDecorator {
  const frozen = Object.freeze({ ...options });
  return (prototype, propertyKey) => {
    addOwnField(prototype.constructor, { name: String(propertyKey), options: frozen });
  };
}

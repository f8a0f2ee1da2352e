import type { TargetEntity } from './item-metadata';

/** A class whose `@Field`s a plugin adds to item types of other plugins. It extends nothing. @public */
export type ExtraFieldsClass<T extends object = object> = abstract new (...args: never[]) => T;

/**
 * Fields that the plugin adds to an item type of another plugin, which `dependsOn` or `optionalDependsOn` of the manifest names. Outside
 * of the class, a field is called `<plugin id>$<name>`. While the plugin runs, the fields work like those of the type; while it does not,
 * their values are kept.
 * @example extraFields: [\{ type: 'catalog.Product', fields: ProductSeo \}]
 * @public
 */
export interface ExtraFields {
  readonly type: TargetEntity;
  readonly fields: ExtraFieldsClass;
  /** Sets of fields whose values together are unique; each names at least one field of the class. */
  readonly unique?: readonly (readonly string[])[];
}

/** The extra fields of a class by the names that items have them by; any may be empty. @public */
export type NamedExtraFields<Plugin extends string, Extra extends object> = {
  [Name in keyof Extra & string as `${Plugin}$${Name}`]?: Extra[Name] | null;
};

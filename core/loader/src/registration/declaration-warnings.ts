import { itemTypeOptions, ownFields, type DeclaredField, type PluginDefinition } from '@gantry/plugin-api';
import { declaredNames } from './check-ui-slots';

/**
 * Types whose label comes from a field that has name, title or code within another word only, such as `namespaceId`: the rule of the
 * specification (4.5) goes by the letters.
 */
export function labelWarnings({ itemTypes = [] }: PluginDefinition): readonly string[] {
  return itemTypes.flatMap((model) => {
    if (itemTypeOptions(model)?.label !== undefined) return [];
    const first = declaredFields(model).find(isOfRule)?.name;
    if (first === undefined || isMeant(first)) return [];
    const letters = /name|title|code/i.exec(first)?.[0].toLowerCase();
    return [
      `The label of ${model.name} comes from ${first}, as its name contains "${letters}". If its items have another label field, name it with @ItemType({ label: '…' })`,
    ];
  });
}

/** Own fields and inherited ones. */
function declaredFields(model: unknown): readonly DeclaredField[] {
  const fields: DeclaredField[] = [];
  for (let current = model; typeof current === 'function'; current = Object.getPrototypeOf(current)) {
    fields.push(...ownFields(current));
  }
  return fields;
}

/** A field without a type has text. What the values of other types are is not known before they are compiled. */
function isOfRule({ name, options }: DeclaredField): boolean {
  return options.type === undefined && /name|title|code/i.test(name);
}

/** One of its words ends so, as `productCode`, `filename` or `subtitles`, and it is no id. */
function isMeant(name: string): boolean {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|_/);
  return !/^ids?$/i.test(words.at(-1) ?? '') && words.some((word) => /(?:name|title|code)s?\d*$/i.test(word));
}

const authorNames = ['createdBy', 'updatedBy'] as const;

/** Fields that take the place of those that name the user who wrote an item. They work, as plugins of version 0.1 have them. */
export function authorNameWarnings({ itemTypes = [] }: PluginDefinition): readonly string[] {
  return itemTypes.flatMap((model) => {
    const names = declaredNames(model);
    return authorNames
      .filter((name) => names.has(name))
      .map(
        (name) =>
          `${model.name}.${name} replaces the platform's own createdBy and updatedBy: clients can set the field, and no role can have a condition on it with the user. Give the field another name, such as ${name}Name, and its earlier name in renamedFrom`,
      );
  });
}

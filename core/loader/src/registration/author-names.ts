import type { PluginDefinition } from '@gantry/plugin-api';
import { declaredNames } from './check-ui-slots';

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

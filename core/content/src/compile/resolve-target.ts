import { itemTypeOptions, type ItemTypeClass, type PluginDefinition, type TargetEntity } from '@gantry/plugin-api';
import { earlierNames } from './earlier-names';
import type { ResolveTarget, TargetType } from '../kinds/field-type';
import { typeCode } from '../naming';

/** A plugin whose item types are compiled: what of it counts for them. */
export interface TypeSource {
  readonly manifest: {
    readonly id: string;
    readonly displayName: string;
    readonly dependsOn: object;
    readonly optionalDependsOn: object;
  };
  readonly definition: Pick<PluginDefinition, 'itemTypes' | 'fieldKinds' | 'extraFields'>;
}

/** The item types of all plugins in use, by what a reference can say of them. */
export interface Owners {
  readonly byClass: ReadonlyMap<ItemTypeClass, TargetType>;
  readonly byName: ReadonlyMap<string, TargetType>;
  readonly plugins: ReadonlySet<string>;
}

export function ownersOf(plugins: readonly TypeSource[]): Owners {
  const byClass = new Map<ItemTypeClass, TargetType>();
  const byName = new Map<string, TargetType>();
  for (const { manifest, definition } of plugins) {
    for (const model of definition.itemTypes ?? []) {
      const earlierCodes = earlierNames(itemTypeOptions(model) ?? {});
      const target = { plugin: manifest.id, className: model.name, earlierCodes };
      byClass.set(model, target);
      byName.set(qualified(target), target);
    }
  }
  return { byClass, byName, plugins: new Set(plugins.map(({ manifest }) => manifest.id)) };
}

/** A type may refer to types of the same plugin and of plugins that its manifest depends on. */
export function resolverFor({ manifest }: TypeSource, owners: Owners): ResolveTarget {
  const reachable = reachablePlugins(manifest);
  return (target: TargetEntity) => {
    const found = typeof target === 'string' ? findByName(target, owners) : findByClass(target(), owners);
    if ('problem' in found || reachable.has(found.plugin)) return found;
    const where = 'package.json does not name';
    return {
      problem: `${qualified(found)}, and ${where} "${found.plugin}" in gantry.dependsOn or gantry.optionalDependsOn`,
    };
  };
}

/** The plugin itself and those that its manifest depends on. */
export function reachablePlugins({ id, dependsOn, optionalDependsOn }: TypeSource['manifest']): ReadonlySet<string> {
  return new Set([id, ...Object.keys(dependsOn), ...Object.keys(optionalDependsOn)]);
}

type Found = ReturnType<ResolveTarget>;

function findByName(name: string, { byName, plugins }: Owners): Found {
  const found = byName.get(name);
  if (found) return found;
  const [, plugin] = /^([a-z][a-z0-9-]*)\.\w+$/.exec(name) ?? [];
  if (plugin === undefined) {
    const meant = [...byName.values()].find(({ className }) => typeCode(className) === name.toLowerCase());
    const here = meant === undefined ? '' : `, here ${qualified(meant)}`;
    return { problem: `"${name}", which is not a qualified name: <plugin id>.<ClassName>${here}` };
  }
  if (!plugins.has(plugin)) return { problem: `${name}, but the plugin ${plugin} is not enabled` };
  const own = [...byName.values()].filter((type) => type.plugin === plugin).map(({ className }) => className);
  return { problem: `${name}, and ${plugin} has no such type; it has ${own.join(', ') || 'none'}` };
}

/** The target's module may not have been loaded when the author's function is called. */
function findByClass(model: ItemTypeClass | undefined, { byClass }: Owners): Found {
  if (model === undefined) {
    return {
      problem: "undefined, which happens when files import each other; name it as text: '<plugin id>.<ClassName>'",
    };
  }
  return byClass.get(model) ?? { problem: `the class ${model.name}, which is not in itemTypes of any enabled plugin` };
}

function qualified({ plugin, className }: Pick<TargetType, 'plugin' | 'className'>): string {
  return `${plugin}.${className}`;
}

import type { SchemaDifference } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { Sequelize } from './database';
import { bringUpToDate, type PluginSchema } from './database/schema/bring-up-to-date';
import type { CompiledItemType } from './items/descriptor';
import { createItemTypes, type ItemTypes } from './items/item-types';
import { compilePlugins } from './items/link-item-types';
import { associateReferences, plainColumnsOf, prepareModel } from './items/link-models';
import { tablesOf } from './items/tables';
import type { PluginRegistry } from './plugins';

export interface LinkOptions {
  readonly registry: PluginRegistry;
  readonly sequelize: Sequelize;
  readonly databaseUrl: string;
  readonly logger: Logger;
}

export interface LinkedPlugins {
  readonly types: ItemTypes;
  readonly differences: readonly SchemaDifference[];
}

/**
 * The phase `link`: compiles the item types of the registered plugins, gives their models to Sequelize and brings the
 * schema up to date. A plugin that fails on the way is quarantined and its dependents blocked; the rest goes on.
 */
export async function linkPlugins(options: LinkOptions): Promise<LinkedPlugins> {
  const linked = linkModels(options);
  const outcome = await bringUpToDate({ ...options, plugins: schemasOf(options.registry, linked) });
  for (const { plugin, code, reason, remedy } of outcome.failures) {
    options.registry.fail(plugin, 'link', { code, reason, remedy });
  }
  for (const { table, description, statement } of outcome.differences) {
    options.logger.warn({ table, statement }, `schema: ${description}`);
  }
  return { types: createItemTypes(remaining(options.registry, linked)), differences: outcome.differences };
}

/** Compiles and initialises the models; changes nothing in the database. */
export function linkModels({
  registry,
  sequelize,
}: Pick<LinkOptions, 'registry' | 'sequelize'>): readonly CompiledItemType[] {
  const compiled = compileSound(registry);
  for (const { manifest } of registry.registered()) {
    const own = compiled.filter(({ descriptor }) => descriptor.plugin === manifest.id);
    try {
      for (const type of own) prepareModel(type);
      sequelize.addModels(own.map(({ model }) => model));
    } catch (error) {
      registry.fail(manifest.id, 'link', {
        code: 'MODEL_INVALID',
        reason: `Sequelize refuses a model: ${error instanceof Error ? error.message : String(error)}`,
        remedy: 'Correct the columns or associations of the model.',
      });
    }
  }
  const sound = remaining(registry, compiled);
  associateReferences(sound);
  return sound;
}

/** The tables and migrations of the linked plugins, in the order of their dependencies. */
export function schemasOf(registry: PluginRegistry, types: readonly CompiledItemType[]): readonly PluginSchema[] {
  const tables = new Map(types.map(({ descriptor }) => [descriptor.code, descriptor.table]));
  const tableOf = (code: string): string => tables.get(code) ?? code;
  return registry.registered().map(({ manifest, definition }) => ({
    id: manifest.id,
    migrations: definition.migrations ?? [],
    tables: types
      .filter(({ descriptor }) => descriptor.plugin === manifest.id)
      .flatMap((type) => tablesOf(type.descriptor, tableOf, plainColumnsOf(type))),
  }));
}

/** Compiles again after every failure, as a type may refer to one of the plugin that failed. */
function compileSound(registry: PluginRegistry): readonly CompiledItemType[] {
  for (;;) {
    const { types, failures } = compilePlugins(registry.registered());
    if (failures.size === 0) return types;
    for (const [plugin, problems] of failures) {
      registry.fail(plugin, 'link', {
        code: 'ITEM_TYPE_INVALID',
        reason: problems.join('; '),
        remedy: 'Correct the declarations named, build the plugin and start again.',
      });
    }
  }
}

function remaining(registry: PluginRegistry, types: readonly CompiledItemType[]): readonly CompiledItemType[] {
  const ids = new Set(registry.registered().map(({ manifest }) => manifest.id));
  return types.filter(({ descriptor }) => ids.has(descriptor.plugin));
}

import type { SchemaDifference } from '@gantry/contracts';
import { describeError } from '@gantry/core-common';
import type { Logger, PluginDefinition } from '@gantry/plugin-api';
import { bringUpToDate, type PluginSchema, type Sequelize } from '@gantry/core-database';
import { compilePlugins } from '../compile/compile-plugins';
import type { CompiledItemType } from '../compile/descriptor';
import { createItemTypes, type ItemTypes } from '../compile/item-types';
import {
  addAttributes,
  assertNothingHidden,
  associateReferences,
  attributeName,
  enterHooks,
  plainColumnsOf,
  prepareModel,
} from '../compile/link-models';
import type { TypeSource } from '../compile/resolve-target';
import { withLeftFields, withoutExtras } from '../compile/extra-fields';
import { extraTablesOf, isCodeLabel, tablesOf } from '../compile/tables';

/** A plugin that is linked: what of it counts. */
interface LinkedSource extends TypeSource {
  readonly manifest: TypeSource['manifest'] & { readonly version: string };
  readonly definition: TypeSource['definition'] & Pick<PluginDefinition, 'migrations'>;
}

/** The plugins as linking sees them. */
export interface LinkRegistry {
  registeredPlugins(): readonly LinkedSource[];
  /** Quarantines a plugin and blocks those that depend on it. */
  fail(
    plugin: string,
    phase: 'link',
    problem: { readonly code: string; readonly reason: string; readonly remedy: string },
  ): void;
}

/** Runs code of a plugin. */
type Enter = <T>(plugin: string, code: () => T) => T;

export interface LinkOptions {
  readonly registry: LinkRegistry & { served(plugin: string): string };
  /** Owners of tables that name item types; their tables exist. */
  readonly owners: readonly PluginSchema[];
  readonly sequelize: Sequelize;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly enter?: Enter | undefined;
  /** Runs what needs the database, and may run it again when the database was not available. */
  readonly withDatabase: WithDatabase;
}

export type WithDatabase = <T>(work: () => Promise<T>) => Promise<T>;

export interface LinkedPlugins {
  readonly types: ItemTypes;
  readonly differences: readonly SchemaDifference[];
}

/** The plugins whose models are ready, and what they want of the database. */
export interface LinkedModels {
  readonly types: readonly CompiledItemType[];
  /** The tables and migrations of the plugins, in the order of their dependencies. */
  readonly schemas: readonly PluginSchema[];
}

/**
 * The phase `link`: compiles the item types of the registered plugins, gives their models to Sequelize and brings the
 * schema up to date. A plugin that fails on the way is quarantined and its dependents blocked; the rest continues.
 */
export async function linkPlugins(options: LinkOptions): Promise<LinkedPlugins> {
  const { types, schemas } = linkModels(options);
  const outcome = await options.withDatabase(() => bringUpToDate({ ...options, plugins: schemas }));
  for (const { plugin, code, reason, remedy } of outcome.failures) {
    options.registry.fail(plugin, 'link', { code, reason, remedy });
  }
  for (const { table, description, statement } of outcome.differences) {
    options.logger.warn({ table, statement }, `schema: ${description}`);
  }
  const isServed = (plugin: string): boolean => options.registry.served(plugin) === 'served';
  const ids = new Set(options.registry.registeredPlugins().map(({ manifest }) => manifest.id));
  const whole = remaining(options.registry, types).map((type) => {
    const known = withLeftFields(type, outcome.leftFields, (plugin) => ids.has(plugin));
    addAttributes(type.model, known.descriptor.fields.slice(type.descriptor.fields.length));
    return known;
  });
  return { types: createItemTypes(whole, isServed), differences: outcome.differences };
}

/** Compiles and initialises the models; changes nothing in the database. */
export function linkModels({
  registry,
  sequelize,
  enter = (_plugin, code) => code(),
}: {
  readonly registry: LinkRegistry;
  readonly sequelize: Sequelize;
  readonly enter?: Enter | undefined;
}): LinkedModels {
  const compiled = compileSound(registry);
  forEachPlugin(registry, compiled, (own) => {
    for (const type of own) prepareModel(type);
    sequelize.addModels(own.map(({ model }) => model));
    for (const type of own) enterHooks(type, (code) => enter(type.descriptor.plugin, code));
    for (const type of own) assertNothingHidden(type);
  });
  const added = remaining(registry, compiled);
  forEachPlugin(registry, added, (own) => associateReferences(own, added));
  const schemas = forEachPlugin(registry, added, (own, plugin) => schemaOf(plugin, own, added));
  return { types: remaining(registry, added), schemas };
}

/** Runs the work for one plugin after the other, with its types; one whose models make it throw is quarantined. */
function forEachPlugin<T>(
  registry: LinkRegistry,
  types: readonly CompiledItemType[],
  work: (own: readonly CompiledItemType[], plugin: LinkedSource) => T,
): readonly T[] {
  const results = new Map<string, T>();
  for (const plugin of registry.registeredPlugins()) {
    const { id } = plugin.manifest;
    try {
      results.set(
        id,
        work(
          types.filter(({ descriptor }) => descriptor.plugin === id),
          plugin,
        ),
      );
    } catch (error) {
      registry.fail(id, 'link', {
        code: 'MODEL_INVALID',
        reason: `A model cannot be used: ${describeError(error)}`,
        remedy: 'Correct the columns or associations of the model.',
      });
    }
  }
  return registry.registeredPlugins().flatMap(({ manifest }) => results.get(manifest.id) ?? []);
}

function schemaOf(
  { manifest, definition }: LinkedSource,
  own: readonly CompiledItemType[],
  all: readonly CompiledItemType[],
): PluginSchema {
  const tables = new Map(all.map(({ descriptor }) => [descriptor.code, descriptor.table]));
  const tableOf = (code: string): string => tables.get(code) ?? code;
  const codeLabelled = new Set(all.flatMap(({ descriptor }) => (isCodeLabel(descriptor) ? [descriptor.code] : [])));
  const hasCodeAsLabel = (code: string): boolean => codeLabelled.has(code);
  return {
    id: manifest.id,
    version: manifest.version,
    migrations: definition.migrations ?? [],
    tables: [
      ...own.flatMap((type) => tablesOf(type.descriptor, tableOf, plainColumnsOf(type), hasCodeAsLabel)),
      ...all.flatMap(({ descriptor }) => extraTablesOf(descriptor, manifest.id, tableOf, hasCodeAsLabel)),
    ],
  };
}

/** Compiles again after every failure, as a type may refer to one of the plugin that failed. */
function compileSound(registry: LinkRegistry): readonly CompiledItemType[] {
  for (;;) {
    const { types, failures, blocked } = compilePlugins(registry.registeredPlugins());
    if (failures.size === 0) return types;
    for (const [plugin, problems] of failures) {
      if (blocked.has(plugin)) {
        registry.fail(plugin, 'link', {
          code: 'FIELD_KIND_MISSING',
          reason: problems.join('; '),
          remedy: 'Install and enable the plugin that provides the field kind, then start again.',
        });
        continue;
      }
      registry.fail(plugin, 'link', {
        code: 'ITEM_TYPE_INVALID',
        reason: problems.join('; '),
        remedy: 'Correct the declarations named, build the plugin and start again.',
      });
    }
  }
}

function remaining(registry: LinkRegistry, types: readonly CompiledItemType[]): readonly CompiledItemType[] {
  const ids = new Set(registry.registeredPlugins().map(({ manifest }) => manifest.id));
  const own = types.filter(({ descriptor }) => ids.has(descriptor.plugin));
  return own.map((type) => {
    const left = withoutExtras(type, (plugin) => ids.has(plugin));
    // The model would write columns that the table may not have.
    const lost = type.descriptor.fields.filter((field) => !left.descriptor.fields.includes(field));
    for (const field of lost) type.model.removeAttribute(attributeName(field));
    return left;
  });
}

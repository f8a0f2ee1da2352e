import { describeError } from '@gantry/core-common';
import { CompileError, compileItemType, declaredFields } from './compile-item-type';
import type { CompiledItemType } from './descriptor';
import { addExtraFields } from './extra-fields';
import { createFieldTypes, type FieldType, type FieldTypes } from '../kinds/field-type';
import { pluginFieldType } from '../kinds/plugin-field-type';
import { shippedFieldTypes } from '../kinds/registry';
import { ownersOf, reachablePlugins, resolverFor, type Owners, type TypeSource } from './resolve-target';

/** The types of the valid plugins, and the problems of the others. */
export interface CompiledPlugins {
  readonly types: readonly CompiledItemType[];
  /** By plugin id. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
  /** Those of them whose only fault is that a field kind of another plugin is not there. */
  readonly blocked: ReadonlySet<string>;
  /** Those of the platform and of all plugins. */
  readonly fieldTypes: FieldTypes;
}

/** Compiles the item types of all registered plugins. Pure: changes neither classes nor plugins. */
export function compilePlugins(
  plugins: readonly TypeSource[],
  fieldTypes: FieldTypes = shippedFieldTypes,
): CompiledPlugins {
  const owners = ownersOf(plugins);
  const types: CompiledItemType[] = [];
  const failures = new Map<string, readonly string[]>();
  const blocked = new Set<string>();
  const kinds = pluginKinds(plugins);
  const tableOwners = new Map<string, string>();
  for (const plugin of plugins) {
    const reachable = reachableTypes(plugin, kinds, fieldTypes);
    const missing = missingKinds(plugin, reachable);
    if (missing.length > 0) {
      failures.set(plugin.manifest.id, missing);
      blocked.add(plugin.manifest.id);
      continue;
    }
    const { compiled, problems: own } = compileOne(plugin, owners, reachable);
    const problems = own.length > 0 ? own : claimTables(compiled, tableOwners);
    if (problems.length > 0) failures.set(plugin.manifest.id, problems);
    else types.push(...compiled);
  }
  for (const plugin of plugins) {
    const { id } = plugin.manifest;
    if (failures.has(id)) continue;
    const problems = addExtraFields(plugin, types, {
      resolveTarget: resolverFor(plugin, owners),
      fieldTypes: reachableTypes(plugin, kinds, fieldTypes),
      hasPlugin: (other) => owners.plugins.has(other),
    });
    if (problems.length > 0) failures.set(id, problems);
  }
  return { types, failures, blocked, fieldTypes: withKinds(fieldTypes, [...kinds.values()].flat()) };
}

/** The field types of plugins by the id of the plugin. */
function pluginKinds(plugins: readonly TypeSource[]): ReadonlyMap<string, readonly FieldType[]> {
  return new Map(
    plugins.map(({ manifest: { id }, definition: { fieldKinds = [] } }) => [
      id,
      fieldKinds.map((kind) => pluginFieldType(id, kind)),
    ]),
  );
}

/** A type may have field kinds of the same plugin and of plugins that its manifest depends on. */
function reachableTypes(
  { manifest }: TypeSource,
  kinds: ReadonlyMap<string, readonly FieldType[]>,
  fieldTypes: FieldTypes,
): FieldTypes {
  const ids = reachablePlugins(manifest);
  const missing = (name: string): string | undefined => {
    const [, plugin] = /^([a-z][a-z0-9-]*)\.\w+$/.exec(name) ?? [];
    if (plugin === undefined) return undefined;
    const own = kinds.get(plugin);
    if (own === undefined) return `the plugin ${plugin} is not enabled`;
    if (!ids.has(plugin)) {
      return `package.json does not name "${plugin}" in gantry.dependsOn or gantry.optionalDependsOn`;
    }
    return `${plugin} has no such field kind; it has ${own.map((type) => type.name).join(', ') || 'none'}`;
  };
  const own = [...ids].flatMap((id) => kinds.get(id) ?? []);
  return createFieldTypes([...(fieldTypes.all as [FieldType]), ...own], missing);
}

function withKinds(fieldTypes: FieldTypes, kinds: readonly FieldType[]): FieldTypes {
  return kinds.length === 0 ? fieldTypes : createFieldTypes([...(fieldTypes.all as [FieldType]), ...kinds]);
}

/** Field kinds of plugins that are not in use. */
function missingKinds({ definition }: TypeSource, fieldTypes: FieldTypes): readonly string[] {
  const { itemTypes = [], extraFields = [] } = definition;
  const declaring = [
    ...itemTypes.map((model) => ({ model, what: 'Item type' })),
    ...extraFields.map(({ fields }) => ({ model: fields, what: 'Extra fields' })),
  ];
  return declaring.flatMap(({ model, what }) =>
    declaredFields(model).flatMap(({ name, options }) => {
      const isKnown = fieldTypes.of(options) !== undefined;
      const reason = isKnown ? undefined : fieldTypes.missing(String(options.type));
      if (reason?.endsWith('is not enabled') !== true) return [];
      return [`${what} ${model.name}: ${name} has the type ${options.type}, but ${reason}; its data stays`];
    }),
  );
}

function compileOne(plugin: TypeSource, owners: Owners, fieldTypes: FieldTypes) {
  const { id, displayName } = plugin.manifest;
  const resolve = resolverFor(plugin, owners);
  const compiled: CompiledItemType[] = [];
  const problems: string[] = [];
  for (const model of plugin.definition.itemTypes ?? []) {
    try {
      compiled.push({ model, descriptor: compileItemType(id, model, resolve, displayName, fieldTypes) });
    } catch (error) {
      // A declaration can be odd in ways that no check foresees, and targetEntity is the author's code.
      problems.push(error instanceof CompileError ? error.message : `Item type ${model.name}: ${describeError(error)}`);
    }
  }
  return { compiled, problems: [...problems, ...earlierCodeProblems(compiled)] };
}

/** A code belongs to one type: its items cannot become those of another. */
function earlierCodeProblems(types: readonly CompiledItemType[]): readonly string[] {
  const claims = types.flatMap(({ descriptor: { className, earlierCodes = [] } }) =>
    earlierCodes.map((code) => ({ className, code })),
  );
  return claims.flatMap(({ className, code }, index) => {
    const other =
      types.find(({ descriptor }) => descriptor.code === code)?.descriptor.className ??
      claims.slice(0, index).find((claim) => claim.code === code)?.className;
    if (other === undefined) return [];
    return [`Item type ${className}: renamedFrom names ${code}, which belongs to ${other}`];
  });
}

/** Two plugins can come to one name: type `b-c` of plugin `a`, and type `c` of plugin `a-b`, or a link table of either. */
function claimTables(types: readonly CompiledItemType[], owners: Map<string, string>): readonly string[] {
  const claims = types.flatMap(({ descriptor }) =>
    [
      descriptor.table,
      ...descriptor.fields.flatMap(({ reference, links }) => reference?.linkTable ?? links?.table ?? []),
    ].map((table) => ({
      table,
      owner: descriptor.qualifiedName,
    })),
  );
  const own = new Map<string, string>();
  const problems: string[] = [];
  for (const { table, owner } of claims) {
    const other = owners.get(table) ?? own.get(table);
    if (other === undefined) own.set(table, owner);
    else problems.push(`${owner} needs the table ${table}, which ${other} has`);
  }
  // A plugin that fails keeps no table from those after it.
  if (problems.length === 0) for (const [table, owner] of own) owners.set(table, owner);
  return problems;
}

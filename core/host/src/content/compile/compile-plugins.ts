import { describeError } from '@gantry/core-common';
import { CompileError, compileItemType } from './compile-item-type';
import type { CompiledItemType } from './descriptor';
import type { FieldTypes } from '../kinds/field-type';
import { shippedFieldTypes } from '../kinds/registry';
import { ownersOf, resolverFor, type Owners, type TypeSource } from './resolve-target';

/** What came of compiling: the types of the sound plugins, and what is wrong with the others. */
export interface CompiledPlugins {
  readonly types: readonly CompiledItemType[];
  /** By plugin id. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
}

/** Compiles the item types of all registered plugins. Pure: changes neither classes nor plugins. */
export function compilePlugins(
  plugins: readonly TypeSource[],
  fieldTypes: FieldTypes = shippedFieldTypes,
): CompiledPlugins {
  const owners = ownersOf(plugins);
  const types: CompiledItemType[] = [];
  const failures = new Map<string, readonly string[]>();
  const tableOwners = new Map<string, string>();
  for (const plugin of plugins) {
    const { compiled, problems: own } = compileOne(plugin, owners, fieldTypes);
    const problems = own.length > 0 ? own : claimTables(compiled, tableOwners);
    if (problems.length > 0) failures.set(plugin.manifest.id, problems);
    else types.push(...compiled);
  }
  return { types, failures };
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
  return { compiled, problems };
}

/** Two plugins can come to one name: type `b-c` of plugin `a`, and type `c` of plugin `a-b`, or a link table of either. */
function claimTables(types: readonly CompiledItemType[], owners: Map<string, string>): readonly string[] {
  const claims = types.flatMap(({ descriptor }) =>
    [descriptor.table, ...descriptor.fields.flatMap((field) => field.reference?.linkTable ?? [])].map((table) => ({
      table,
      owner: descriptor.qualifiedName,
    })),
  );
  const problems: string[] = [];
  for (const { table, owner } of claims) {
    const other = owners.get(table);
    if (other === undefined) owners.set(table, owner);
    else problems.push(`${owner} needs the table ${table}, which ${other} has`);
  }
  return problems;
}

import { withoutExtras } from './extra-fields';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from './descriptor';

/** The item types by type code; immutable after start. */
export interface ItemTypes {
  readonly all: readonly CompiledItemType[];
  find(code: string): CompiledItemType | undefined;
  /** The same while the plugin of the type is in use. */
  findServed(code: string): CompiledItemType | undefined;
  /** Whether the plugin of that id is in use; one that fails at its start takes its types away again. */
  readonly isServed: (plugin: string) => boolean;
  /** The types whose plugins are in use. */
  served(): readonly CompiledItemType[];
  /** Fields of all types that refer to the given type. */
  referrers(code: string): readonly Referrer[];
}

/** A field of a type that refers to another type; of one with links within its values, `reference` is the link table of that type. */
export interface Referrer {
  readonly type: ItemTypeDescriptor;
  readonly field: FieldDescriptor;
}

export function createItemTypes(
  types: readonly CompiledItemType[],
  isServed: ItemTypes['isServed'] = () => true,
): ItemTypes {
  const sorted = types.toSorted((left, right) => (left.descriptor.code < right.descriptor.code ? -1 : 1));
  const byCode = new Map(sorted.map((type) => [type.descriptor.code, type]));
  const referrers = collectReferrers(sorted.map((type) => type.descriptor));
  const find = (code: string) => {
    const type = byCode.get(code);
    return type && inUse(type);
  };
  const extras = new Map(sorted.map((type) => [type, pluginsOfExtras(type)]));
  const hasExtras = [...extras.values()].some((plugins) => plugins.length > 0);
  const inUse = hasExtras ? extrasInUse(extras, isServed) : (type: CompiledItemType) => type;
  const all = Object.freeze(sorted);
  return Object.freeze({
    get all() {
      return hasExtras ? all.map(inUse) : all;
    },
    find,
    findServed(code: string) {
      const type = find(code);
      return type !== undefined && isServed(type.descriptor.plugin) ? type : undefined;
    },
    isServed,
    served: () => all.filter(({ descriptor }) => isServed(descriptor.plugin)).map(inUse),
    referrers: (code: string) => referrers.get(code) ?? [],
  });
}

/** Gives a type with the extra fields of the plugins that are in use: the same object as long as these are the same. */
function extrasInUse(
  extras: ReadonlyMap<CompiledItemType, readonly string[]>,
  isServed: ItemTypes['isServed'],
): (type: CompiledItemType) => CompiledItemType {
  const known = new Map<CompiledItemType, Map<string, CompiledItemType>>();
  return (type) => {
    const plugins = extras.get(type) ?? [];
    if (plugins.every(isServed)) return type;
    const missing = plugins.filter((plugin) => !isServed(plugin)).join();
    const ofType = known.get(type) ?? new Map<string, CompiledItemType>();
    const { descriptor, stored = descriptor } = type;
    const found = ofType.get(missing) ?? { ...withoutExtras(type, isServed), stored, isWhole: true };
    known.set(type, ofType.set(missing, found));
    return found;
  };
}

function pluginsOfExtras({ descriptor }: CompiledItemType): readonly string[] {
  return [...new Set(descriptor.fields.flatMap(({ plugin }) => plugin ?? []))];
}

function collectReferrers(types: readonly ItemTypeDescriptor[]): ReadonlyMap<string, readonly Referrer[]> {
  const found = new Map<string, Referrer[]>();
  for (const type of types) {
    for (const field of type.fields) {
      for (const one of referringFields(field)) {
        const target = one.reference?.target ?? '';
        found.set(target, [...(found.get(target) ?? []), { type, field: one }]);
      }
    }
  }
  return found;
}

/** A field with links within its values is seen as a reference to each of the types that it may link to. */
export function referringFields(field: FieldDescriptor): readonly FieldDescriptor[] {
  const { reference, links } = field;
  if (reference !== undefined) return [field];
  return (links?.targets ?? []).map(({ target, qualifiedName, column }) => ({
    ...field,
    reference: {
      ...{ target, qualifiedName, cardinality: 'MULTIPLE' as const, linkTable: links?.table ?? '', linkColumn: column },
      ...(links?.onDelete === undefined ? {} : { onDelete: links.onDelete }),
    },
  }));
}

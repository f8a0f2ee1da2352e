import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from './descriptor';

/** The item types that are served, by type code; immutable after start. */
export interface ItemTypes {
  readonly all: readonly CompiledItemType[];
  find(code: string): CompiledItemType | undefined;
  /** Fields of all types that refer to the given type. */
  referrers(code: string): readonly Referrer[];
}

/** A field of a type that refers to another type. */
export interface Referrer {
  readonly type: ItemTypeDescriptor;
  readonly field: FieldDescriptor;
}

export function createItemTypes(types: readonly CompiledItemType[]): ItemTypes {
  const sorted = types.toSorted((left, right) => (left.descriptor.code < right.descriptor.code ? -1 : 1));
  const byCode = new Map(sorted.map((type) => [type.descriptor.code, type]));
  const referrers = collectReferrers(sorted.map((type) => type.descriptor));
  return Object.freeze({
    all: Object.freeze(sorted),
    find: (code: string) => byCode.get(code),
    referrers: (code: string) => referrers.get(code) ?? [],
  });
}

function collectReferrers(types: readonly ItemTypeDescriptor[]): ReadonlyMap<string, readonly Referrer[]> {
  const found = new Map<string, Referrer[]>();
  for (const type of types) {
    for (const field of type.fields) {
      if (field.reference === undefined) continue;
      const list = found.get(field.reference.target) ?? [];
      found.set(field.reference.target, [...list, { type, field }]);
    }
  }
  return found;
}

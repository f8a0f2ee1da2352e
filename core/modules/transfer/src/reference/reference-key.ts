import type { FieldDescriptor, ItemTypeDescriptor, ItemTypes } from '@gantry/core-content';

/** One field of a key. */
export interface KeyPart {
  readonly field: FieldDescriptor;
  /** For a REFERENCE: what it refers to, and the one field that is the key there. */
  readonly reference?: { readonly target: ItemTypeDescriptor; readonly field: FieldDescriptor };
}

/**
 * How files name items of a type other than by id: by fields that are unique together. The first part is what people call
 * the item by, usually its code; the others can be left out where the referring item has the same context, usually the
 * same catalog and catalog version.
 */
export interface ReferenceKey {
  readonly target: ItemTypeDescriptor;
  readonly parts: readonly [KeyPart, ...KeyPart[]];
}

/** The key of a type: one unique field if there is one, else the first set of fields that is unique together. */
export function referenceKeyOf(target: ItemTypeDescriptor, types: ItemTypes): ReferenceKey | undefined {
  const single = singleKeyField(target);
  if (single !== undefined) return { target, parts: [{ field: single }] };
  for (const names of ownSets(target)) {
    const parts = names.map((name) => partOf(target, name, types));
    const lead = parts.find((part) => part?.reference === undefined && part?.field.options === undefined);
    if (lead === undefined || parts.includes(undefined)) continue;
    return { target, parts: [lead, ...parts.filter((part): part is KeyPart => part !== undefined && part !== lead)] };
  }
  return undefined;
}

/** How files write a part of a key, of which PostgreSQL gives the text of the column. */
export function keyText({ field, reference }: KeyPart, text: string): string {
  return (reference?.field ?? field).kind.toCell(text);
}

/** Without sets with an extra field of another plugin, which may be empty, and be gone at the next import. */
function ownSets({ unique, fields }: ItemTypeDescriptor): readonly (readonly string[])[] {
  const extras = new Set(fields.flatMap(({ name, plugin }) => (plugin === undefined ? [] : [name])));
  return unique.filter((names) => !names.some((name) => extras.has(name)));
}

/** A required one before one that may be empty. */
function singleKeyField(type: ItemTypeDescriptor): FieldDescriptor | undefined {
  const fields = ownSets(type).flatMap((names) =>
    type.fields.filter((field) => names.length === 1 && field.name === names[0]),
  );
  const named = fields.filter((field) => field.reference === undefined);
  return named.find((field) => field.required) ?? named[0];
}

function partOf(type: ItemTypeDescriptor, name: string, types: ItemTypes): KeyPart | undefined {
  const field = type.fields.find((candidate) => candidate.name === name);
  if (field === undefined || field.column === '') return undefined;
  if (field.reference === undefined) return { field };
  const target = types.find(field.reference.target)?.descriptor;
  const keyField = target === undefined ? undefined : singleKeyField(target);
  return target === undefined || keyField === undefined ? undefined : { field, reference: { target, field: keyField } };
}

import { booleanKind } from './boolean-kind';
import type { FieldKind } from './field-kind';
import { decimalKind, doubleKind, integerKind, longKind } from './number-kinds';
import { referenceKind, referencesKind, targetlessKind, targetlessListKind } from './reference-kinds';
import { imageKind, longTextKind, stringKind } from './text-kinds';

const kinds: ReadonlyMap<string, FieldKind> = new Map(
  [
    stringKind,
    longTextKind,
    integerKind,
    longKind,
    decimalKind,
    doubleKind,
    booleanKind,
    referenceKind,
    referencesKind,
    targetlessKind,
    targetlessListKind,
    imageKind,
  ].map((kind) => [kind.name, kind]),
);

/** The kind of a compiled field. @throws when the name is not in the registry, which compile rules out. */
export function kindOf(field: { readonly kind: string }): FieldKind {
  const kind = kinds.get(field.kind);
  if (kind === undefined) throw new Error(`No field kind is named ${field.kind}`);
  return kind;
}

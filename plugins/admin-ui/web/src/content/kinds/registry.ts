import { plainKind, type FieldKind } from './field-kind';
import { shippedKinds } from './shipped-kinds';

const byType: ReadonlyMap<string, FieldKind> = new Map(shippedKinds.map((kind) => [kind.type, kind]));

/** The kind of a field type, also in lower case as search fields have it; one that is unknown here is shown as text. */
export function kindOf(type: string): Omit<FieldKind, 'type'> {
  return byType.get(type.toUpperCase()) ?? plainKind;
}

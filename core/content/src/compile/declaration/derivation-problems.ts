import type { FieldDescriptor } from '../descriptor';
import { sourcesOf } from '../../kinds/derivation';

/** Values that cannot be made: from fields that there are none of, from references, or from values that are made themselves. */
export function derivationProblems(fields: readonly FieldDescriptor[]): readonly string[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  return fields.flatMap((field) =>
    sourcesOf(field).flatMap((name) => {
      const source = known.get(name);
      if (source === undefined) return [`${field.name} is made from ${name}, which is not a field`];
      if (source === field) return [`${field.name} is made from itself`];
      if (source.reference !== undefined) return [`${field.name} is made from ${name}, which is a REFERENCE`];
      return sourcesOf(source).length > 0
        ? [`${field.name} is made from ${name}, which is made from others itself`]
        : [];
    }),
  );
}

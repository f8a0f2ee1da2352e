import type { ItemTypeClass } from '@gantry/plugin-api';
import { columnTypeOf, kindOfColumn } from './column-kind';
import { attributesOf, declaredFields } from './compile';

/** A regular expression that a field declares for its values. */
export interface DeclaredPattern {
  readonly field: string;
  readonly pattern: string;
  /** Characters that a value has at most; longer ones are refused before the pattern is asked. */
  readonly maxLength: number;
}

/** The patterns of a type's fields, own and inherited ones. Whatever else is wrong with a field is left to its check. */
export function declaredPatterns(model: ItemTypeClass): readonly DeclaredPattern[] {
  const attributes = attributesOf(model);
  return declaredFields(model).flatMap(({ name, options }) => {
    const { pattern } = options;
    if (typeof pattern !== 'string') return [];
    try {
      const type = options.type ?? 'STRING';
      const { maxLength = Infinity } = kindOfColumn(
        type,
        columnTypeOf(type, options, attributes?.[name]?.type),
        options,
      );
      return [{ field: name, pattern, maxLength }];
    } catch {
      return [{ field: name, pattern, maxLength: Infinity }];
    }
  });
}

import type { CmsFieldType } from '@gantry/contracts';
import type { FieldOptions, TargetEntity } from '@gantry/plugin-api';
import type { FieldKind } from './field-kind';
import type { FieldRules } from './field-rules';

/** An item type as a target of references: who owns it and what it is called. */
export interface TargetType {
  readonly plugin: string;
  readonly className: string;
  /** Codes that the type had in earlier versions of its plugin. */
  readonly earlierCodes?: readonly string[];
}

/** Finds the item type that a declaration points to, or says why there is none. */
export type ResolveTarget = (target: TargetEntity) => TargetType | { readonly problem: string };

/** A field as its type is asked to compile it. */
export interface Declaration {
  readonly name: string;
  readonly options: FieldOptions;
  /** The column that the author declared with sequelize-typescript. */
  readonly attribute: { readonly type?: unknown; readonly field?: string | undefined } | undefined;
  /** Table of the item type. */
  readonly table: string;
  readonly resolveTarget: ResolveTarget;
}

/** The members of a field that its field type decides: its kind, its column, and the limits of its values. */
export type CompiledField = Pick<
  FieldRules,
  | 'column'
  | 'columnType'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'numberKind'
  | 'precision'
  | 'scale'
  | 'reference'
  | 'multiple'
  | 'links'
> & { readonly kind: FieldKind };

/** A field type of declarations, such as `type: 'NUMBER'`: which options it has, and the kind and column of its fields. */
export interface FieldType {
  readonly name: CmsFieldType;
  /** The options that it has, of those that not every field type has. */
  readonly options: readonly (keyof FieldOptions)[];
  /** True where the platform alone decides on the column. */
  readonly makesColumn: boolean;
  /** True where the text of a key is trimmed unless declared otherwise, so that codes that look the same are the same. */
  readonly trimsKeys: boolean;
  /** Whether a default is of the type of the field. */
  fitsDefault(value: string | number | boolean): boolean;
  /** Further problems of the options: sentences that continue "<field> …". */
  problems(options: FieldOptions): readonly string[];
  /** @param report takes sentences about what is wrong with the field */
  compile(declaration: Declaration, report: (problem: string) => void): CompiledField;
}

/** The field types of a platform. The first is that of a field whose declaration names none. */
export interface FieldTypes {
  readonly all: readonly FieldType[];
  readonly names: readonly CmsFieldType[];
  /** @returns undefined when no field type has the name */
  of(options: Pick<FieldOptions, 'type'>): FieldType | undefined;
  /** The names of the field types that have the option; all of them when every field has it. */
  having(option: keyof FieldOptions): readonly CmsFieldType[];
  /** Why a name that a plugin could have is that of no field type; undefined for any other name. */
  missing(name: string): string | undefined;
}

/** Every type has all options that no field type claims. */
export function createFieldTypes(
  all: readonly [FieldType, ...FieldType[]],
  missing: FieldTypes['missing'] = () => undefined,
): FieldTypes {
  const byName = new Map<string, FieldType>(all.map((type) => [type.name, type]));
  const claimed = new Set<keyof FieldOptions>([...all.flatMap(({ options }) => options), 'settings', 'linkTargets']);
  return {
    all,
    names: all.map(({ name }) => name),
    missing,
    of: ({ type = all[0].name }) => byName.get(type),
    having: (option) =>
      all.filter(({ options }) => !claimed.has(option) || options.includes(option)).map(({ name }) => name),
  };
}

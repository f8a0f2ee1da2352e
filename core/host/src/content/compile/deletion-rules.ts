import type { DeclaredField, FieldOptions, ItemTypeOptions } from '@gantry/plugin-api';

/** What is wrong with the `onDelete` of a reference: what a deletion of the target could not do to the item. */
export function deletionRuleProblems(
  { name, options }: DeclaredField,
  { readOnly }: ItemTypeOptions,
): readonly string[] {
  const { onDelete } = options;
  // At another field type it is a problem that is reported already.
  if (onDelete === undefined || onDelete === 'restrict' || options.type !== 'REFERENCE') return [];
  const reasons = [
    ...(options.targetEntity === undefined ? ['it has no targetEntity'] : []),
    ...(readOnly === true ? ['the type is readOnly, so that only its plugin may change or delete its items'] : []),
    ...rules[onDelete](options),
  ];
  return reasons.map((reason) => `${name} has onDelete ${onDelete}, but ${reason}`);
}

type Rule = 'setNull' | 'removeLink' | 'cascade';

const rules: Readonly<Record<Rule, (options: FieldOptions) => readonly string[]>> = {
  setNull: (options) => [
    ...(isMultiple(options) ? ['it refers to several items; use removeLink'] : []),
    ...(options.required === true ? ['it is required; use cascade or restrict'] : []),
    ...fixed(options),
  ],
  removeLink: (options) => [
    ...(isMultiple(options) ? [] : ['it refers to one item; use setNull or cascade']),
    ...(options.required === true ? ['it is required, and its list could become empty; use restrict'] : []),
    ...fixed(options),
  ],
  cascade: (options) => (isMultiple(options) ? ['it refers to several items; use removeLink or restrict'] : []),
};

function isMultiple({ cardinality }: FieldOptions): boolean {
  return cardinality === 'MULTIPLE';
}

function fixed({ editableOnUpdate }: FieldOptions): readonly string[] {
  return editableOnUpdate === false ? ['it cannot be changed after the item is created (editableOnUpdate)'] : [];
}

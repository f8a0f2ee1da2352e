import type { FieldOptions } from '@gantry/plugin-api';

/** Problems of `onDelete`, whose effect the field would not allow: sentences that continue the name of the field. */
export function deletionRuleProblems(options: FieldOptions): readonly string[] {
  const { onDelete } = options;
  if (onDelete === undefined || onDelete === 'restrict') return [];
  const reasons = [
    ...(options.targetEntity === undefined ? ['it has no targetEntity'] : []),
    // Another one is a problem that is reported already.
    ...(Object.hasOwn(rules, onDelete) ? rules[onDelete](options) : []),
  ];
  return reasons.map((reason) => `has onDelete ${onDelete}, but ${reason}`);
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

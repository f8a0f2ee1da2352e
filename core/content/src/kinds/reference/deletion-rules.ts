import type { FieldOptions } from '@gantry/plugin-api';

/** Problems of `onDelete` of a reference: sentences that continue the name of the field. */
export function deletionRuleProblems(options: FieldOptions): readonly string[] {
  const { onDelete = 'restrict', targetEntity } = options;
  const isAimless = onDelete !== 'restrict' && targetEntity === undefined;
  return [...(isAimless ? [`has onDelete ${onDelete}, but it has no targetEntity`] : []), ...ruleProblems(options)];
}

/** Problems of `onDelete`, whose effect the field would not allow: sentences that continue the name of the field. */
export function ruleProblems(options: FieldOptions): readonly string[] {
  const { onDelete = 'restrict' } = options;
  // Another one is a problem that is reported already.
  if (onDelete === 'restrict' || !Object.hasOwn(rules, onDelete)) return [];
  return rules[onDelete](options).map((reason) => `has onDelete ${onDelete}, but ${reason}`);
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

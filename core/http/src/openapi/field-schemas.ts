import { maxValueLength } from '@gantry/core-content';
import { component, type Schema } from './document';

const text = { type: 'string' } as const;

/** A condition of a list. @param field what is said of its name */
export function criterionSchema(field: Schema): Schema {
  return {
    type: 'object',
    required: ['field'],
    additionalProperties: false,
    properties: {
      field: { ...text, ...field },
      operator: component('schemas', 'CriterionOperator'),
      value: {
        type: ['string', 'null'],
        maxLength: maxValueLength,
        description: `Always text; a blank or missing value skips the criterion. All together have at most ${maxValueLength} characters.`,
      },
    },
  };
}

/** Criteria of which one or all must hold; what a group has is as outside of groups, at most three levels deep. */
export function criteriaGroup(maxMembers: number): Schema {
  const member = { anyOf: [component('schemas', 'Criterion'), component('schemas', 'CriteriaGroup')] };
  const members = { type: 'array', maxItems: maxMembers, items: member };
  const group = (name: 'any' | 'all'): Schema => ({
    ...{ type: 'object', required: [name], additionalProperties: false },
    properties: { [name]: members },
  });
  return { description: 'At most three levels deep.', anyOf: [group('any'), group('all')] };
}

/** The names of field types, which depend on the plugins. */
export function fieldTypeSchemas(names: readonly string[] | undefined): Readonly<Record<string, Schema>> {
  if (names === undefined) return { FieldType: text, SearchFieldType: text };
  return {
    FieldType: { ...text, enum: names },
    SearchFieldType: { ...text, enum: names.map((type) => type.toLowerCase()) },
  };
}

/** An object whose members are all required unless their name ends in `?`. */
export function object(members: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const);
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(entries),
    ...more,
  };
}

import { deletionRules, optionColors } from '@gantry/contracts';
import { numberKinds } from '../content/kinds/number';
import { maxValueLength } from '../content/query/criteria';
import { component, type Schema } from './document';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const textList = { type: 'array', items: text } as const;

/** What a deletion of the target does to an item that refers or links to it. */
export const onDeleteSchema: Schema = {
  enum: deletionRules.filter((rule) => rule !== 'restrict'),
  description:
    'What a deletion of the target does: empties the reference, removes the entry of the list or the link in a text, or deletes the item too. Absent where it is refused.',
};

const hints = {
  'options?': textList,
  'optionColors?': { type: 'object', additionalProperties: { enum: optionColors } },
  'optionLabels?': { type: 'object', additionalProperties: text },
  'multiple?': { ...flag, description: 'True where a value is a list of options.' },
  'help?': text,
  'section?': { type: 'string', description: 'Heading of the part of the form that shows the field.' },
  'maxLength?': { type: 'integer' },
  'min?': { type: ['number', 'string'] },
  'max?': { type: ['number', 'string'] },
  'pattern?': text,
  'default?': { type: ['string', 'number', 'boolean'] },
  'numberKind?': { enum: numberKinds },
} as const;

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
  const member = { anyOf: [criterionSchema({}), component('schemas', 'CriteriaGroup')] };
  const members = { type: 'array', maxItems: maxMembers, items: member };
  const group = (name: 'any' | 'all'): Schema => ({
    ...{ type: 'object', required: [name], additionalProperties: false },
    properties: { [name]: members },
  });
  return { description: 'At most three levels deep.', anyOf: [group('any'), group('all')] };
}

/** How the metadata describes fields. */
export function fieldSchemas(names: readonly string[]): Readonly<Record<string, Schema>> {
  return {
    ColumnShown: object({ name: text, displayName: text, type: { enum: names }, order: { type: 'integer' } }),
    SearchField: object({
      name: text,
      displayName: text,
      type: { enum: names.map((type) => type.toLowerCase()) },
      'reference?': text,
      'operators?': { ...textList, description: 'By which criteria compare the field.' },
      ...hints,
    }),
    FormField: object({
      name: text,
      displayName: text,
      type: { enum: names },
      required: flag,
      editableOnUpdate: flag,
      'editableOnCreate?': { ...flag, description: 'False where the caller may not set the field on create.' },
      'readOnly?': { ...flag, description: 'True where the caller may not set the field at all.' },
      placeholder: text,
      'reference?': {
        type: 'string',
        description: 'Qualified name of the target; its last segment in lower case is the type code.',
      },
      'referenceCardinality?': { enum: ['SINGLE', 'MULTIPLE'] },
      'onDelete?': onDeleteSchema,
      'valueType?': {
        enum: ['string', 'number', 'boolean', 'object', 'array'],
        description: 'JSON type of a value of a field type that a plugin brings; text unless given.',
      },
      'derivedFrom?': {
        ...textList,
        description: 'The fields that its value is made from where a new item has none.',
      },
      'computed?': { ...flag, description: 'True where the platform computes the value; a write cannot set it.' },
      'fields?': {
        type: 'array',
        items: { $ref: '#/components/schemas/FormField' },
        description: 'The members of each entry of a list.',
      },
      'minItems?': { type: 'integer' },
      'maxItems?': { type: 'integer' },
      ...kindMembers,
      ...hints,
    }),
  };
}

/** What the metadata says of the values of some field kinds. */
const kindMembers: Readonly<Record<string, Schema>> = {
  'document?': {
    ...object({
      nodes: textList,
      marks: textList,
      headingLevels: { type: 'array', items: { type: 'integer' } },
      'links?': textList,
    }),
    description: 'What a structured document may consist of.',
  },
  'focalPoint?': {
    ...object({ 'image?': text }),
    description: 'Set where a value is a point of an image, whose address the other field has.',
  },
  'file?': {
    ...object({ upload: text, 'accept?': textList, 'maxBytes?': { type: 'integer' } }),
    description: 'Where the files of the field are uploaded, and which it takes.',
  },
};

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

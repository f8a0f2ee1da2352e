import {
  deletionRules,
  fieldWidths,
  textFormats,
  optionColors,
  type CmsFieldType,
  type FieldCondition,
  type FormField,
  type ItemMetadata,
  type SearchField,
} from '@gantry/contracts';
import { z } from 'zod';
import { numberKinds } from '@gantry/core-content';
import { actions } from './item-schemas';

const texts = z.array(z.string());
const whole = z.int().exactOptional();

/** The field types of a platform depend on its plugins. */
const fieldType = z.string().meta({ $ref: '#/$defs/FieldType' }) as unknown as z.ZodType<CmsFieldType>;
const searchType = z.string().meta({ $ref: '#/$defs/SearchFieldType' }) as unknown as z.ZodType<SearchField['type']>;

const hints = {
  options: texts.exactOptional(),
  optionColors: z.record(z.string(), z.enum(optionColors)).exactOptional(),
  optionLabels: z.record(z.string(), z.string()).exactOptional(),
  multiple: z.literal(true).exactOptional().describe('True if a value is a list of options.'),
  help: z.string().exactOptional(),
  section: z.string().exactOptional().describe('Heading of the form section that has the field.'),
  maxLength: whole,
  min: z.union([z.number(), z.string()]).exactOptional(),
  max: z.union([z.number(), z.string()]).exactOptional(),
  pattern: z.string().exactOptional(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  numberKind: z.enum(numberKinds).exactOptional(),
};

const column = z
  .object({ name: z.string(), displayName: z.string(), type: fieldType, order: z.int() })
  .meta({ id: 'ColumnShown', description: 'A column of the list.' });

const searchField = z
  .object({
    name: z.string(),
    displayName: z.string(),
    type: searchType,
    reference: z.string().exactOptional(),
    linkTargets: z.array(z.string()).exactOptional().describe('Codes of the types that a LINK may refer to.'),
    operators: texts.exactOptional().describe('Operators of criteria for the field.'),
    ...hints,
  })
  .meta({ id: 'SearchField', description: 'A search input.' });

const conditionValue = z.union([z.string(), z.number(), z.boolean()]);

const condition: z.ZodType<FieldCondition> = z
  .union([
    z.object({ field: z.string(), equals: conditionValue }),
    z.object({ field: z.string(), notEquals: conditionValue }),
    z.object({ field: z.string(), in: z.array(conditionValue) }),
    z.object({ field: z.string(), empty: z.boolean() }),
    z.object({
      get all() {
        return z.array(condition);
      },
    }),
    z.object({
      get any() {
        return z.array(condition);
      },
    }),
  ])
  .meta({ id: 'FieldCondition', description: 'A condition on the value of another field of the item.' });

const documentRules = z
  .object({ nodes: texts, marks: texts, headingLevels: z.array(z.int()), links: texts.exactOptional() })
  .describe('The nodes and marks that a structured document may consist of.');

const fileRules = z
  .object({ upload: z.string(), accept: texts.exactOptional(), maxBytes: whole })
  .describe('Path for uploads of the field, and the accepted media types and size.');

const formField: z.ZodType<FormField> = z
  .object({
    name: z.string(),
    displayName: z.string(),
    type: fieldType,
    required: z.boolean(),
    editableOnUpdate: z.boolean(),
    editableOnCreate: z.literal(false).exactOptional().describe('False if the caller may not set the field on create.'),
    readOnly: z.literal(true).exactOptional().describe('True if the caller may not set the field at all.'),
    placeholder: z.string(),
    reference: z
      .string()
      .exactOptional()
      .describe('Qualified name of the target; its last segment in lower case is the type code.'),
    referenceCardinality: z.enum(['SINGLE', 'MULTIPLE']).exactOptional(),
    linkTargets: z.array(z.string()).exactOptional().describe('Codes of the types that a LINK may refer to.'),
    onDelete: z
      .enum(deletionRules)
      .exclude(['restrict'])
      .exactOptional()
      .describe(
        'The effect of a deletion of the target: empties the reference, removes the entry of the list or the link in a text, or deletes the item too. Absent if the deletion is refused.',
      ),
    tab: z
      .string()
      .exactOptional()
      .describe('The form tab that has the field; fields without a tab are above the tabs.'),
    width: z.enum(fieldWidths).exactOptional().describe('Share of the form width.'),
    format: z.enum(textFormats).exactOptional().describe('Markup language of the text; plain text unless given.'),
    visibleIf: condition.exactOptional(),
    requiredIf: condition.exactOptional(),
    valueType: z
      .enum(['string', 'number', 'boolean', 'object', 'array'])
      .exactOptional()
      .describe('JSON type of a value of a field kind that a plugin provides; text unless given.'),
    derivedFrom: texts.exactOptional().describe('Fields from which the value is derived if a new item has none.'),
    computed: z
      .literal(true)
      .exactOptional()
      .describe('True if the platform computes the value; a write cannot set it.'),
    get fields() {
      return z.array(formField).exactOptional().describe('The members of each entry of a list.');
    },
    minItems: whole,
    maxItems: whole,
    document: documentRules.exactOptional(),
    focalPoint: z
      .object({ image: z.string().exactOptional() })
      .exactOptional()
      .describe('Set if the value is a point of an image; names the field with the address of the image.'),
    file: fileRules.exactOptional(),
    ...hints,
  })
  .meta({ id: 'FormField', description: 'A field of the form.' });

/** Metadata from which clients build tables, forms and search bars. */
export const itemMetadata = z
  .object({
    code: z.string(),
    displayName: z.string(),
    displayNamePlural: z.string(),
    columnShown: z.array(column),
    searchable: z.array(searchField),
    fields: z.array(formField),
    heading: z.string().exactOptional().describe('Field whose value heads the page of an item.'),
    labelField: z.string().exactOptional().describe('Field whose value is the label of an item.'),
    editableColumns: texts.exactOptional().describe('Fields whose cells can be edited in the list.'),
    readOnly: z.boolean(),
    singleton: z
      .literal(true)
      .exactOptional()
      .describe('True if the type has exactly one item, which cannot be deleted.'),
    actions,
  })
  .meta({ id: 'ItemMetadata', description: 'The metadata.' }) satisfies z.ZodType<ItemMetadata>;

export const searchMetadata = z
  .object({ fields: z.array(searchField) })
  .meta({ id: 'SearchMetadata', description: 'The searchable fields.' });

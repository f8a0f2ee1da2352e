import { envelope, type Parameter, type Schema } from './document';
import { object, onDeleteSchema } from './field-schemas';

const text = { type: 'string' } as const;

const namedItems: Schema = {
  type: 'array',
  items: object({ id: text, label: text }),
  description: 'The first of them; the ids are text, which keeps all digits.',
};

export const deletionSchemas: Readonly<Record<string, Schema>> = {
  DeletionPlan: {
    ...object({
      confirm: {
        type: 'string',
        description: 'Sent as `confirm`, deletes unless more items are concerned by then.',
        examples: ['product.delete=12,article.update=3'],
      },
      effects: {
        type: 'array',
        items: object({
          type: { type: 'string', description: 'Code of the type of the items.' },
          displayName: text,
          displayNamePlural: text,
          action: { enum: ['delete', 'update'] },
          count: { type: 'integer', minimum: 1, maximum: 1_000 },
          items: namedItems,
        }),
      },
    }),
    description: 'What a deletion does to other items; with the code `CONFIRMATION_REQUIRED`.',
  },
  ItemReferencesEnvelope: envelope(
    {
      type: 'array',
      items: object({
        type: { type: 'string', description: 'Code of the type that has the field.' },
        displayName: text,
        field: text,
        fieldDisplayName: text,
        'onDelete?': onDeleteSchema,
        count: { type: 'integer', maximum: 1_000 },
        isCapped: { type: 'boolean', description: 'There are more than were counted.' },
        items: namedItems,
      }),
    },
    object({ 'nextCursor?': text }),
  ),
};

export const referenceParameters: Readonly<Record<string, Parameter>> = {
  ReferringField: {
    name: 'field',
    in: 'query',
    description:
      'A type and its field that refers to the item: its items are given a page at a time, and not the first ones of every field. Needed by `limit` and `after`.',
    schema: { type: 'string', examples: ['product.catalog'] },
  },
  ReferringCursor: {
    name: 'after',
    in: 'query',
    description: '`meta.nextCursor` of the previous page.',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
  },
  ConfirmDeletion: {
    name: 'confirm',
    in: 'query',
    description:
      'Items that refer to the item are deleted or changed with it where their references declare that (`onDelete`), and this confirms it: `confirm` of the refusal `CONFIRMATION_REQUIRED`, or `all` for whatever it is.',
    schema: {
      type: 'string',
      pattern: String.raw`^(all|[a-z][a-z0-9_]*\.(delete|update)=[0-9]{1,6}(,[a-z][a-z0-9_]*\.(delete|update)=[0-9]{1,6})*)$`,
      examples: ['product.delete=12,article.update=3'],
    },
  },
};

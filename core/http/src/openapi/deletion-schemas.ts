import type { Schema } from './document';
import { object } from './field-schemas';

const text = { type: 'string' } as const;

const namedItems: Schema = {
  type: 'array',
  items: object({ id: text, label: text }),
  description: 'The first items. Ids are text, which keeps all digits.',
};

export const deletionSchemas: Readonly<Record<string, Schema>> = {
  DeletionPlan: {
    ...object({
      confirm: {
        type: 'string',
        description:
          'Value of `confirm` that confirms these effects. The deletion is refused if more items are affected by then.',
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
    description: 'The effects of a deletion on other items; with the code `CONFIRMATION_REQUIRED`.',
  },
};

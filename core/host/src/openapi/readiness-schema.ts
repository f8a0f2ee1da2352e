import type { Schema } from './document';

const text = { type: 'string' } as const;

/** The answer of `/readyz`. */
export const readinessSchema: Schema = {
  type: 'object',
  required: ['status', 'parts'],
  properties: {
    status: { enum: ['ready', 'degraded', 'starting', 'draining', 'unavailable'] },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'status'],
        properties: {
          name: text,
          status: { enum: ['up', 'degraded', 'down'] },
          message: text,
          subscription: { ...text, description: 'Of a subscription: the id of the webhook, or <plugin>/<name>.' },
        },
      },
    },
  },
};

import { truncate } from './truncate';
import { z } from 'zod';

/** A time in an answer. */
export const instant = z.string().meta({ format: 'date-time' });

/** A whole number from 1 to `max` in the query. */
export function count(max: number) {
  return z
    .string()
    .transform((text, context) => {
      const number = Number(text);
      if (/^\d{1,16}$/.test(text) && number >= 1 && number <= max) return number;
      const code = /^-?\d+$/.test(text) ? 'OUT_OF_RANGE' : 'WRONG_TYPE';
      const message = `must be a whole number from 1 to ${max}; "${truncate(text)}" was sent`;
      context.addIssue({ code: 'custom', message, params: { code } });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: 1, maximum: max });
}

const timeSyntax = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A date or a time in the query, as a Date. */
export const time = z
  .string()
  .refine((text) => timeSyntax.test(text) && !Number.isNaN(new Date(text).getTime()), {
    error: ({ input }) =>
      `must be a date (its start in UTC) or a time with its zone in ISO 8601, such as 2026-03-01 or 2026-03-01T09:30:00Z; "${truncate(String(input))}" was sent`,
    params: { code: 'WRONG_TYPE' },
  })
  .transform((text) => new Date(text));

/** `true` or `false` in the query; false unless given. */
export const flag = z
  .string()
  .transform((text, context) => {
    if (text === 'true' || text === 'false') return text === 'true';
    const message = `must be true or false; "${truncate(text)}" was sent`;
    context.addIssue({ code: 'custom', message, params: { code: 'WRONG_TYPE' } });
    return z.NEVER;
  })
  .default(false)
  .meta({ type: 'boolean', default: false });

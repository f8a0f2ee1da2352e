import { truncate } from '@gantry/core-common';
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

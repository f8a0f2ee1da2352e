import { isGantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { parseOption } from '@gantry/core-content';

/** A parameter that is one of a few words. */
export function oneOf<T extends string>(name: string, options: readonly T[]) {
  return parsedBy(name, (_name, text) => parseOption(name, text, options));
}

/** A parameter that a function reads, as routes without a contract do. @param parse throws GantryError for what it refuses */
export function parsedBy<Value>(name: string, parse: (name: string, text: string) => Value) {
  return z.string().transform((text, context) => {
    try {
      return parse(name, text);
    } catch (error) {
      if (!isGantryError(error)) throw error;
      const { message = error.message, code } = error.details?.[0] ?? {};
      context.addIssue({ code: 'custom', message: message.replace(/^The parameter \w+ /, ''), params: { code } });
      return z.NEVER;
    }
  });
}

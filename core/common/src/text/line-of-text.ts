import { isTextLine, textLineRule } from '@gantry/contracts';
import { z } from 'zod';

/** A name or an address: without control characters and halves of surrogate pairs, which PostgreSQL does not store. */
export function lineOfText(name: string, maxLength: number) {
  const error = `${name} ${textLineRule(maxLength)}`;
  return z
    .string({ error })
    .trim()
    .refine((text) => isTextLine(text, maxLength), { error });
}

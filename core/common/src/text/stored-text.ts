import { z } from 'zod';

/** Text of several lines: without NUL and halves of surrogate pairs, which PostgreSQL does not store. */
export function storedText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => !/[\0\p{Cs}]/u.test(text), {
      error: 'must be text without NUL characters and halves of surrogate pairs',
    });
}

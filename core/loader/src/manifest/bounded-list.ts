import { z } from 'zod';

/** A list of a manifest. One with more elements than `max` is one problem, and its elements are not looked at. */
export function boundedList<T>(element: z.ZodType<T>, max: number) {
  return z
    .custom<unknown>((value) => !Array.isArray(value) || value.length <= max, {
      error: ({ input }) => `must have at most ${max} entries; it has ${Array.isArray(input) ? input.length : 0}`,
      abort: true,
    })
    .pipe(z.array(element));
}

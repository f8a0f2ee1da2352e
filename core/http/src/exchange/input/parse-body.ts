import type { z } from 'zod';
import { withPlainNumbers, expectation } from '@gantry/core-common';
import { assertObject, detailsOf, notConforming } from './schema-issues';

/**
 * The JSON body of a request as its schema has it.
 * @throws GantryError BAD_REQUEST for a body that is no object, VALIDATION_FAILED with all its problems
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  assertObject(body);
  const parsed = schema.safeParse(withPlainNumbers(body), { error: expectation });
  if (parsed.success) return parsed.data;
  throw notConforming(parsed.error.issues.flatMap(detailsOf));
}

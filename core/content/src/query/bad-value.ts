import { GantryError } from '@gantry/plugin-api';
import { valueError } from '@gantry/core-database';

/**
 * For `catch` of statements that compare: a value that passed our checks and still does not fit, for example from a cursor that was
 * tampered with, or of a field kind that accepts more than its column holds.
 * @throws GantryError BAD_REQUEST for a value that PostgreSQL refuses, else the error itself
 */
export function asBadValue(error: unknown): never {
  if (valueError(error) === undefined) throw error;
  throw new GantryError('BAD_REQUEST', 'A value of the request does not fit the field that it is compared with.', {
    cause: error,
  });
}

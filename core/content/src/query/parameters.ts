import type { DetailCode } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';
import { invalidParameter, type GantryError } from '@gantry/plugin-api';

/** The error for a query parameter, which also says what was sent. */
export function refusedParameter(name: string, code: DetailCode, expected: string, sent: string): GantryError {
  return invalidParameter(name, `The parameter ${name} must be ${expected}; "${truncate(sent)}" was sent`, code);
}

/** A whole number from 1 to `max`. @throws GantryError BAD_REQUEST */
export function parseCount(name: string, text: string, max: number): number {
  const isNumber = /^\d{1,16}$/.test(text);
  const count = Number(text);
  if (isNumber && count >= 1 && count <= max) return count;
  const code = isNumber || /^-?\d+$/.test(text) ? 'OUT_OF_RANGE' : 'WRONG_TYPE';
  throw refusedParameter(name, code, `a whole number from 1 to ${max}`, text);
}

/** One of a few words. @throws GantryError BAD_REQUEST */
export function parseOption<T extends string>(name: string, text: string, options: readonly T[]): T {
  const option = options.find((known) => known === text);
  if (option !== undefined) return option;
  throw refusedParameter(name, 'NOT_AN_OPTION', `one of ${options.join(', ')}`, text);
}

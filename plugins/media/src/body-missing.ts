import { GantryError } from '@gantry/plugin-api';

/** @param what for example `an image` */
export function bodyMissing(what: string): GantryError {
  return new GantryError('BAD_REQUEST', `The body is missing. Send the bytes of ${what}.`);
}

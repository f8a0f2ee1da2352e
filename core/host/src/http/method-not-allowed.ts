import { GantryError } from '@gantry/plugin-api';
import type { RequestHandler } from 'express';

/** Answers every method that a path does not offer: 405 with `Allow`, and OPTIONS with what it offers. */
export function methodNotAllowed(allow: string): RequestHandler {
  return (request, response) => {
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', allow);
      response.status(204).end();
      return;
    }
    throw new GantryError('METHOD_NOT_ALLOWED', `${request.method} is not offered here; ${allow} is.`, {
      headers: { Allow: allow },
    });
  };
}

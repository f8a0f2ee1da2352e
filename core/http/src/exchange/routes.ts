import { GantryError } from '@gantry/plugin-api';
import type { Express, Request, RequestHandler } from 'express';

/** Adds the routes of one area of the HTTP interface. */
export type Routes = (app: Express) => void;

/**
 * Answers every method that a path does not offer: 405 with `Allow`, and OPTIONS with what it offers.
 * What it offers may depend on the request, as a type may be one that is only read.
 */
export function methodNotAllowed<P>(offered: string | ((request: Request<P>) => string)): RequestHandler<P> {
  return (request, response) => {
    const allow = typeof offered === 'string' ? offered : offered(request);
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', allow);
      response.status(204).end();
      return;
    }
    throw new GantryError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not supported here. Use ${allow || 'another path'}.`,
      {
        headers: { Allow: allow },
      },
    );
  };
}

/** Adds a path that can be read and nothing else. */
export function addReadRoute<P>(app: Express, path: string, handler: RequestHandler<P>): void {
  app.route(path).get<P>(handler).all(methodNotAllowed('GET, HEAD'));
}

import { GantryError } from '@gantry/plugin-api';
import type { Express, Request, RequestHandler } from 'express';
import { markPresence } from './principal';

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
    throw new GantryError('METHOD_NOT_ALLOWED', `${request.method} is not offered here; ${allow || 'nothing'} is.`, {
      headers: { Allow: allow },
    });
  };
}

/** Adds a path that can be read and nothing else. */
export function addReadRoute<P>(app: Express, path: string, handler: RequestHandler<P>): void {
  app.route(path).get<P>(handler).all(methodNotAllowed('GET, HEAD'));
}

/** What a path offers: a handler for each method. */
export type PathHandlers<P> = Readonly<Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', RequestHandler<P>>>>;

/**
 * Adds a path with what it offers; every other method is answered with 405.
 * @param lasting methods that make what outlasts the credential of the request: they need a proof of presence, see docs/security.md
 */
export function addPath<P>(
  app: Express,
  path: string,
  handlers: PathHandlers<P>,
  lasting: readonly (keyof PathHandlers<P>)[] = [],
): void {
  const route = app.route(path);
  for (const method of lasting) {
    route[method]((request, _response, next) => {
      markPresence(request);
      next();
    });
  }
  const offered = Object.keys(handlers) as (keyof PathHandlers<P>)[];
  for (const method of offered) {
    const handler = handlers[method];
    if (handler !== undefined) route[method]<P>(handler);
  }
  const names = offered.map((method) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()));
  route.all(methodNotAllowed<P>(names.join(', ')));
}

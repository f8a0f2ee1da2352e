import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { GantryError, type Logger } from '@gantry/plugin-api';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { HidePaths } from './exchange/answer/hide-paths';
import { createProblemHandler, sendProblem } from './exchange/answer/problem';
import { assignRequestId } from './exchange/request-context';
import type { Gate } from './gate';
import { useHttpMessages, type HttpMessages } from './http-messages';
import type { Metrics } from './platform/metrics';
import type { Routes } from './exchange/routes';

export interface AppDependencies {
  /** The classes of the server's requests and responses. */
  readonly messages: HttpMessages;
  readonly gate: Gate;
  /** Finds out who makes a request, after the gate. */
  readonly authenticate: RequestHandler;
  /** Addresses and networks of reverse proxies whose headers about the client are believed. */
  readonly trustedProxies: readonly string[];
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly hidePaths: HidePaths;
  /** Those of each area; where two have the same path, the earlier one answers. */
  readonly routes: readonly Routes[];
}

/** The HTTP application: the gate, the routes of all areas, and the one error handler. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const app = express();
  useHttpMessages(app, dependencies.messages);
  app.disable('x-powered-by');
  app.disable('etag');
  // Every route reads its own query; see query.ts.
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', [...dependencies.trustedProxies]);
  app.use(enter(dependencies));
  app.use(dependencies.authenticate);
  for (const add of dependencies.routes) add(app);
  app.use((request) => {
    throw new GantryError(
      'NOT_FOUND',
      `Not found: ${request.method} ${request.path.slice(0, 200)}. See /api/docs for the description of the API.`,
    );
  });
  app.use(createProblemHandler(dependencies.logger, dependencies.hidePaths));
  return (request, response) => app(request as Request, response as Response, () => refuseAddress(request, response));
}

/** Express gives back a request whose address it cannot read, before any handler has seen it. */
function refuseAddress(request: IncomingMessage, response: ServerResponse): void {
  assignRequestId(request, response);
  sendProblem(request, response, new GantryError('BAD_REQUEST', 'The address of the request cannot be read.'));
}

function enter({ gate, metrics }: AppDependencies): RequestHandler {
  return (request, response, next) => {
    metrics.observe(request, response);
    assignRequestId(request, response);
    gate(request, response);
    next();
  };
}

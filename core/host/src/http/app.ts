import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { StartupReport } from '@gantry/contracts';
import { GantryError, type Logger } from '@gantry/plugin-api';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { ReadJson } from './exchange/body';
import type { Gate } from './gate';
import { readinessStatus, type Health } from './platform/health';
import type { HidePaths } from './exchange/hide-paths';
import { parseFlag } from '../content/query/list-query';
import { mayWrite, type Scope } from '../content/policy/scope';
import { createExportHandler, type ExportDependencies } from './transfer/exports/export-handler';
import { createImportHandler, type ImportDependencies } from './transfer/imports/import-handler';
import { useHttpMessages, type HttpMessages } from './http-messages';
import { createItemHandlers, type ItemHandlerDependencies } from './items/item-routes';
import { addItemRoutes } from './item-routes';
import { methodNotAllowed } from './exchange/method-not-allowed';
import type { Metrics } from './platform/metrics';
import { addPluginChangeRoutes, type PluginChangeDependencies } from './plugins/plugin-change-routes';
import { addPluginRoutes, type PluginRouteDependencies } from './plugins/plugin-routes';
import { addPluginUiRoutes, type FindUiFile } from './plugins/plugin-ui-routes';
import { createProblemHandler, sendProblem } from './exchange/problem';
import { parseQuery } from './exchange/query';
import { assignRequestId } from './exchange/request-context';
import { sendData, sendJson } from './exchange/send';

/** A file that is served from memory. */
export interface MemoryFile {
  readonly contentType: string;
  readonly body: Buffer | string;
}

export interface AppDependencies
  extends
    Omit<ItemHandlerDependencies, 'readJson'>,
    Omit<PluginRouteDependencies, 'readJson'>,
    Omit<PluginChangeDependencies, 'readJson'> {
  /** The classes of the server's requests and responses. */
  readonly messages: HttpMessages;
  readonly gate: Gate;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly readJson: ReadJson;
  readonly hidePaths: HidePaths;
  /** With `found`, also what was put into the plugin folders since the start. */
  readonly report: (found: boolean) => Promise<StartupReport>;
  /** Whether anyone has created an item yet. */
  readonly hasItems: (scope: Scope) => Promise<boolean>;
  /** Items of all types by the value of a field, as JSON text. */
  readonly itemsWith: (scope: Scope, field: string, value: string) => Promise<string>;
  readonly imports: Pick<ImportDependencies, 'bulk' | 'spoolFolder' | 'limit' | 'maxLineLength'>;
  readonly exports: Pick<ExportDependencies, 'database'>;
  readonly findUiFile: FindUiFile;
  /** The OpenAPI document as JSON text, made on first use. */
  readonly openApi: (scope: Scope) => string;
  /** The page that shows it: absolute path to file, and its content security policy. */
  readonly docs: { readonly files: ReadonlyMap<string, MemoryFile>; readonly csp: string };
}

/** The HTTP application: gate, content endpoints, plugins' routes, platform endpoints, and the one error handler. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const app = express();
  useHttpMessages(app, dependencies.messages);
  app.disable('x-powered-by');
  app.disable('etag');
  // Every route reads its own query; see query.ts.
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.use(enter(dependencies));
  addItemRoutes(app, createItemHandlers(dependencies));
  addTransferRoutes(app, dependencies);
  addPluginRoutes(app, dependencies);
  addPluginUiRoutes(app, dependencies.findUiFile);
  addPlatformRoutes(app, dependencies);
  addPluginChangeRoutes(app, dependencies);
  addDocs(app, dependencies);
  addEntrance(app, dependencies);
  app.use((request) => {
    throw new GantryError(
      'NOT_FOUND',
      `Nothing is at ${request.method} ${request.path.slice(0, 200)}. The API is described at /api/docs.`,
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

function addTransferRoutes(app: Express, dependencies: AppDependencies): void {
  const { scopeOf, findType, logger, readJson, imports, exports } = dependencies;
  app
    .route('/api/cms/imports/:type')
    .post(createImportHandler({ scopeOf, findType, logger, ...imports }))
    .all(
      methodNotAllowed((request) => {
        const scope = scopeOf(request);
        return mayWrite(scope, 'import', findType(scope, request.params.type)) ? 'POST' : '';
      }),
    );
  app
    .route('/api/cms/exports/:type')
    .post(createExportHandler({ scopeOf, findType, readJson, ...exports }))
    .all(methodNotAllowed('POST'));
}

function addPlatformRoutes(app: Express, dependencies: AppDependencies): void {
  const get = (path: string, handler: RequestHandler): void => {
    app.route(path).get(handler).all(methodNotAllowed('GET, HEAD'));
  };
  get('/livez', (request, response) => {
    parseQuery(request, []);
    sendData(response, 200, '{"status":"alive"}');
  });
  get('/readyz', async (request, response) => {
    parseQuery(request, []);
    const readiness = await dependencies.health.readiness();
    const status = readinessStatus(readiness);
    const headers: Readonly<Record<string, string>> = status === 503 ? { 'Retry-After': '5' } : {};
    sendData(response, status, dependencies.hidePaths(JSON.stringify(readiness)), undefined, headers);
  });
  get('/metrics', async (request, response) => {
    parseQuery(request, []);
    response.setHeader('Content-Type', dependencies.metrics.registry.contentType);
    response.end(await dependencies.metrics.registry.metrics());
  });
  get('/api/openapi.json', (request, response) => {
    parseQuery(request, []);
    sendJson(response, 200, dependencies.openApi(dependencies.scopeOf(request)));
  });
  get('/api/platform/content', async (request, response) => {
    parseQuery(request, []);
    sendData(response, 200, JSON.stringify({ hasItems: await dependencies.hasItems(dependencies.scopeOf(request)) }));
  });
  get('/api/platform/items', async (request, response) => {
    const { field = '', value = '' } = parseQuery(request, ['field', 'value']);
    if (field === '' || value.trim() === '') throw new GantryError('BAD_REQUEST', 'field and value must be given.');
    sendData(response, 200, await dependencies.itemsWith(dependencies.scopeOf(request), field, value));
  });
  get('/api/platform/plugins', async (request, response) => {
    const { found } = parseQuery(request, ['found']);
    sendData(
      response,
      200,
      dependencies.hidePaths(JSON.stringify(await dependencies.report(parseFlag('found', found)))),
    );
  });
}

/** The root leads to the admin pages where a plugin brings them. */
function addEntrance(app: Express, { mounts }: AppDependencies): void {
  const pages = mounts.find(({ prefix }) => prefix === '/admin');
  if (pages === undefined) return;
  app
    .route('/')
    .get((_request, response) => response.redirect(302, `${pages.prefix}/`))
    .all(methodNotAllowed('GET, HEAD'));
}

function addDocs(app: Express, { docs }: AppDependencies): void {
  for (const [path, file] of docs.files) {
    app
      .route(path)
      .get((_request, response) => {
        response.setHeader('Content-Type', file.contentType);
        response.setHeader('Content-Security-Policy', docs.csp);
        response.end(file.body);
      })
      .all(methodNotAllowed('GET, HEAD'));
  }
}

import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { GantryError, type Logger } from '@gantry/plugin-api';
import type { RequestHandler } from 'express';
import { createChangeReader, changeRoutes, createChangeHub } from '@gantry/core-history';
import {
  hasItems,
  findItemsByValue,
  createSearchItems,
  recentItems,
  type FieldTypes,
  shippedFieldTypes,
} from '@gantry/core-content';
import {
  attentionEntries,
  createApp,
  createJsonReader,
  compileHostRoute,
  hostRoutes,
  createAnsweredRequests,
  setPrincipal,
  type FindServedType,
  type ScopeOf,
  type Routes,
  createHttpMessages,
  serveItemRoutes,
  itemRoutes,
  allTypesRoutes,
  typeRoutes,
  documentRoutes,
  createMetrics,
  platformRoutes,
  listen,
  type Principal,
  createOpenApiDocument,
} from '@gantry/core-http';
import type { RunQuery } from '@gantry/core-database';
import { createImportCapacity, transferRoutes } from '@gantry/core-transfer';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import type { OpenTypes } from '../../../../../test/support/content/open-types';

/** Items over HTTP, as the host serves them. */
export interface ServedItems {
  readonly address: string;
  /** As a process that retires: streams end. */
  drain(): void;
  /** Ends the server and closes the content. */
  close(): Promise<void>;
}

export async function serveItems(
  content: OpenTypes,
  scopeOf: ScopeOf,
  fieldTypes: FieldTypes = shippedFieldTypes,
): Promise<ServedItems> {
  const messages = createHttpMessages();
  const logger = createRecordedLogger();
  const draining = new AbortController();
  const app = createApp({
    messages,
    gate: () => undefined,
    authenticate,
    trustedProxies: [],
    metrics: createMetrics(content.database, { list: () => [] }),
    logger,
    hidePaths: (text) => text,
    routes: routesOf(content, { scopeOf, logger, fieldTypes, draining: draining.signal }),
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 }, messages);
  return {
    address: `http://127.0.0.1:${server.port}`,
    drain: () => draining.abort(),
    async close() {
      draining.abort();
      await server.close(1_000);
      await content.close();
    },
  };
}

/** By the caller of each, as the tests give scopes to requests. */
const requests = new WeakMap<Principal, IncomingMessage>();

const authenticate: RequestHandler = (request, _response, next) => {
  const principal = { kind: 'local', id: 'local', name: 'local', login: 'local', rights: {} } as Principal;
  setPrincipal(request, principal, { confirm: () => undefined, assertPresent: async () => undefined });
  requests.set(principal, request);
  next();
};

function routesOf(
  { database, repository, writer, bulk }: OpenTypes,
  parts: {
    readonly scopeOf: ScopeOf;
    readonly logger: Logger;
    readonly fieldTypes: FieldTypes;
    readonly draining: AbortSignal;
  },
): readonly Routes[] {
  const { scopeOf, logger, fieldTypes } = parts;
  const server = {
    readJson: createJsonReader(1e6),
    record: async () => undefined,
    identity: { isSignInRequired: () => false },
    draining: parts.draining,
    answered: createAnsweredRequests(database.plugins, logger),
  };
  const scopeOfPrincipal = (principal: Principal) => scopeOf(requests.get(principal) as IncomingMessage);
  const area = { scopeOf: scopeOfPrincipal, findType, repository, writer };
  const spoolFolder = `${tmpdir()}/gantry-items-${process.pid}`;
  const query: RunQuery = (statement) => database.query(statement);
  const changes = createChangeReader(query, async () => new Map([['user:7', 'Ann']]));
  // Polling is its only source: no commit wakes it.
  const hub = createChangeHub({ changes, onCommit: () => () => undefined, logger });
  parts.draining.addEventListener('abort', () => hub.close());
  return [
    hostRoutes(allTypesRoutes, { scopeOf: scopeOfPrincipal, searchItems: createSearchItems(database) }, server),
    serveItemRoutes(typeRoutes, area, server),
    hostRoutes(
      changeRoutes.map((route) => (route.limits === undefined ? route : { ...route, limits: fewStreams })),
      { scopeOf: scopeOfPrincipal, findType, changes, hub, repository, writer, query },
      server,
    ),
    serveItemRoutes(itemRoutes, area, server),
    serveItemRoutes(
      transferRoutes,
      {
        ...{ scopeOf: scopeOfPrincipal, findType, bulk, database, logger, spoolFolder },
        ...{ capacity: createImportCapacity(1e6), limit: 1e6, maxLineLength: 1e5 },
      },
      server,
    ),
    hostRoutes(
      platformRoutes,
      {
        scopeOf: scopeOfPrincipal,
        hasItems: (scope) => hasItems(scope, database),
        findItemsByValue: (scope, field, value) => findItemsByValue(scope, repository, field, value),
        attention: (scope) => attentionEntries(scope, repository),
        recentItems: (scope) => recentItems(scope, database),
      },
      server,
    ),
    hostRoutes(
      documentRoutes,
      {
        openApi: (principal) => {
          const { policy } = scopeOf(requests.get(principal) as IncomingMessage);
          return JSON.stringify(
            createOpenApiDocument({
              fieldTypes,
              types: policy.types.served().map(({ descriptor }) => descriptor),
              routes: [...allTypesRoutes, ...typeRoutes, ...itemRoutes, ...transferRoutes].map(compileHostRoute),
              version: '0.0.0',
              bodyLimit: 1,
            }),
          );
        },
      },
      server,
    ),
  ];
}

const fewStreams = { name: 'streams', max: 3, share: 4, rate: false } as const;

const findType: FindServedType = ({ policy }, code) => {
  const type = policy.types.find(code);
  if (type === undefined) throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
  return type;
};

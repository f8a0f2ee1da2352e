import { GantryError } from '@gantry/plugin-api';
import type { ItemAction } from '@gantry/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { parseCriteria, type ParsedCriteria } from '../../content/query/criteria';
import type { ItemTypeDescriptor } from '../../content/compile/descriptor';
import type { ItemTypes } from '../../content/compile/item-types';
import type { ItemRepository, RowText } from '../../content/read/item-repository';
import type { SearchItems } from '../../content/read/search-items';
import { parseRequiredSearchText, parseSearchText, searchTextCriterion } from '../../content/query/search-text';
import type { ItemWriter } from '../../content/write/item-writer';
import { assertPrecondition } from '../../content/write/precondition';
import { parseConfirmation } from '../../content/write/remove/confirmation';
import { itemNotFound } from '../../content/write/write-problems';
import { isJsonObject, type JsonObject } from '../../common/json';
import { listParameters, maxTotal, parseListQuery, type ListQuery } from '../../content/query/list-query';
import { parseCount, parseFlag } from '../../content/query/parameters';
import { itemMetadata, modelInfo, searchFields } from '../../content/read/metadata';
import { assertMay, mayWrite } from '../../content/policy/scope';
import { onceFor } from '../../common/once-for';
import type { ReadJson } from '../exchange/body';
import { parseItemId } from './item-id';
import { sendReferences } from './references';
import { hasVersion, parseIfMatch, parsePrecondition } from '../exchange/preconditions';
import { addReadRoute, methodNotAllowed, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import type { FindServedType, ScopeOf } from '../exchange/request-scope';
import { sendData } from '../exchange/send';
import { streamArray } from '../exchange/stream-array';

export interface ItemRouteDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  readonly searchItems: SearchItems;
  readonly readJson: ReadJson;
}

type TypeRequest = Request<{ type: string }>;
type ItemRequest = Request<{ type: string; id: string }>;

const items = '/api/cms/items';

/**
 * The generic endpoints (specification, section 4, and decisions, "Items"): parse, act, present. A new type adds none.
 * Repository and writer enforce the policy; that a handler asks first refuses a write before its body is read.
 */
export function itemRoutes(dependencies: ItemRouteDependencies): Routes {
  const fromMemory = createMetadataTexts();
  const typeOf = (request: TypeRequest) => dependencies.findType(dependencies.scopeOf(request), request.params.type);
  return (app) => {
    addReadRoute(app, `${items}/types`, (request, response) => {
      parseQuery(request, []);
      sendData(response, 200, fromMemory.types(dependencies.scopeOf(request).policy.types));
    });
    addReadRoute<{ type: string }>(app, `${items}/:type/metadata`, (request, response) => {
      const { descriptor } = typeOf(request);
      parseQuery(request, []);
      sendData(response, 200, fromMemory.metadata(descriptor));
    });
    addReadRoute<{ type: string }>(app, `${items}/:type/search-metadata`, (request, response) => {
      const { descriptor } = typeOf(request);
      parseQuery(request, []);
      sendData(response, 200, fromMemory.searchMetadata(descriptor));
    });
    app
      .route('/api/cms/search')
      .post((request, response) => searchAll(dependencies, request, response))
      .all(methodNotAllowed('POST'));
    app
      .route(`${items}/:type/list`)
      .post((request, response) => list(dependencies, request, response))
      .all(methodNotAllowed('POST'));
    app
      .route(`${items}/:type/search`)
      .post((request, response) => search(dependencies, request, response))
      .all(methodNotAllowed('POST'));
    app
      .route(`${items}/:type`)
      .post((request, response) => create(dependencies, request, response))
      .all(methodNotAllowed((request) => (offersWrites(dependencies, request) ? 'POST' : '')));
    addReadRoute<{ type: string; id: string }>(app, `${items}/:type/:id/references`, (request, response) =>
      sendReferences(dependencies, request, response),
    );
    const change: RequestHandler<{ type: string; id: string }> = (request, response) =>
      update(dependencies, request, response);
    app
      .route(`${items}/:type/:id`)
      .get((request, response) => get(dependencies, request, response))
      .patch(change)
      .put(change)
      .delete((request, response) => remove(dependencies, request, response))
      .all(
        methodNotAllowed((request) =>
          offersWrites(dependencies, request) ? 'GET, HEAD, PATCH, PUT, DELETE' : 'GET, HEAD',
        ),
      );
  };
}

/** Whether items of the type in the path can be written here. @throws GantryError as FindServedType does */
function offersWrites(
  { scopeOf, findType }: ItemRouteDependencies,
  request: Request<{ readonly type: string }>,
): boolean {
  const scope = scopeOf(request);
  const type = findType(scope, request.params.type);
  return writes.some((action) => mayWrite(scope, action, type));
}

const writes: readonly ItemAction[] = ['create', 'update', 'delete'];

/** Serialised once, on first use: descriptors never change while the host runs, and each policy has its own. */
function createMetadataTexts() {
  return {
    types: onceFor((types: ItemTypes) => JSON.stringify(types.served().map(({ descriptor }) => modelInfo(descriptor)))),
    metadata: onceFor((type: ItemTypeDescriptor) => JSON.stringify(itemMetadata(type))),
    searchMetadata: onceFor((type: ItemTypeDescriptor) => JSON.stringify({ fields: searchFields(type) })),
  };
}

async function list(dependencies: ItemRouteDependencies, request: TypeRequest, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const { descriptor } = dependencies.findType(scope, request.params.type);
  const { q, strict, ...parameters } = parseQuery(request, [...listParameters, 'q', 'strict']);
  const query = parseListQuery(descriptor, parameters);
  const options = { types: scope.policy.types, isStrict: parseFlag('strict', strict) };
  const body = await dependencies.readJson(request, response);
  const { criteria, skipped } = withSearchText(descriptor, parseCriteria(descriptor, criteriaOf(body), options), q);
  // Without Promise.all(), whose promises every list would pay for (docs/decisions/0008).
  const max = query.total === 'capped' ? maxTotal + 1 : undefined;
  const counting =
    query.total === undefined ? undefined : dependencies.repository.count(scope, descriptor, criteria, max);
  counting?.catch(() => undefined);
  const page = await dependencies.repository.list(scope, descriptor, query, criteria);
  const total = counting && (await counting);
  const meta = {
    ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    ...(total === undefined ? {} : totalOf(total, query.total)),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
  sendData(response, 200, page.rows, meta);
}

function totalOf(counted: number, total: ListQuery['total']) {
  return total === 'capped' && counted > maxTotal ? { total: maxTotal, isTotalCapped: true } : { total: counted };
}

/** No body means no criteria; `null` is a body, and not an array. */
function criteriaOf(body: unknown): unknown {
  return body === undefined ? [] : body;
}

const maxSearchResults = 1_000_000_000;

async function search(dependencies: ItemRouteDependencies, request: TypeRequest, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const { descriptor } = dependencies.findType(scope, request.params.type);
  const { limit, q, strict } = parseQuery(request, ['limit', 'q', 'strict']);
  const maxResults = limit === undefined ? undefined : parseCount('limit', limit, maxSearchResults);
  const options = { types: scope.policy.types, isStrict: parseFlag('strict', strict) };
  const body = await dependencies.readJson(request, response);
  const { criteria, skipped } = withSearchText(descriptor, parseCriteria(descriptor, criteriaOf(body), options), q);
  await streamArray(response, skipped.length === 0 ? undefined : { skipped }, (reader) =>
    dependencies.repository.search(scope, descriptor, criteria, maxResults, reader),
  );
}

async function searchAll(dependencies: ItemRouteDependencies, request: Request, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const { q } = parseQuery(request, ['q']);
  const text = parseRequiredSearchText(q);
  // It means nothing here, but has to be what bodies of writes are (decisions, "Who may ask").
  await dependencies.readJson(request, response);
  sendData(response, 200, await dependencies.searchItems(scope, text));
}

/** @throws GantryError BAD_REQUEST */
function withSearchText(type: ItemTypeDescriptor, parsed: ParsedCriteria, q: string | undefined): ParsedCriteria {
  if (q === undefined) return parsed;
  return { ...parsed, criteria: [...parsed.criteria, searchTextCriterion(type, parseSearchText(q))] };
}

async function create(dependencies: ItemRouteDependencies, request: TypeRequest, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const type = dependencies.findType(scope, request.params.type);
  assertMay(scope, 'create', type);
  parseQuery(request, []);
  const payload = assertObject(await dependencies.readJson(request, response), `create ${type.descriptor.displayName}`);
  const row = await dependencies.writer.create(scope, type, payload);
  const location = `/api/cms/items/${type.descriptor.code}/${row.id}`;
  sendRow(response, 201, row, { Location: location });
}

async function get(dependencies: ItemRouteDependencies, request: ItemRequest, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const { descriptor } = dependencies.findType(scope, request.params.type);
  parseQuery(request, []);
  const id = parseItemId(descriptor, request.params.id);
  const expected = parseIfMatch(request.headers['if-match']);
  const row = await dependencies.repository.get(scope, descriptor, id);
  if (row === undefined) throw itemNotFound(descriptor, id);
  assertPrecondition(descriptor, { id, version: row.version }, { expected });
  if (hasVersion(request.headers['if-none-match'], row.version)) {
    response.setHeader('ETag', `"${row.version}"`);
    response.status(304).end();
  } else sendRow(response, 200, row);
}

async function update(dependencies: ItemRouteDependencies, request: ItemRequest, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const type = dependencies.findType(scope, request.params.type);
  assertMay(scope, 'update', type);
  parseQuery(request, []);
  const id = parseItemId(type.descriptor, request.params.id);
  const precondition = parsePrecondition(request.headers);
  const payload = assertObject(await dependencies.readJson(request, response), `update ${type.descriptor.displayName}`);
  sendRow(response, 200, await dependencies.writer.update(scope, type, id, payload, precondition));
}

async function remove(dependencies: ItemRouteDependencies, request: ItemRequest, response: Response): Promise<void> {
  const scope = dependencies.scopeOf(request);
  const type = dependencies.findType(scope, request.params.type);
  assertMay(scope, 'delete', type);
  const { confirm } = parseQuery(request, ['confirm']);
  const id = parseItemId(type.descriptor, request.params.id);
  const confirmed = confirm === undefined ? undefined : parseConfirmation(confirm);
  const precondition = parsePrecondition(request.headers);
  // It means nothing here, but has to be what bodies of writes are (decisions, "Who may ask").
  await dependencies.readJson(request, response);
  await dependencies.writer.remove(scope, type, id, { ...precondition, confirmed });
  response.status(204).end();
}

function sendRow(
  response: Response,
  status: number,
  row: RowText,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendData(response, status, row.json, undefined, { ...headers, ETag: `"${row.version}"` });
}

function assertObject(body: unknown, action: string): JsonObject {
  if (isJsonObject(body)) return body;
  throw new GantryError(
    'BAD_REQUEST',
    `Failed to ${action}: the body must be a JSON object with one key for every field that is set`,
  );
}

import type { StreamResult } from '@gantry/plugin-api';
import { z } from 'zod';
import { onceFor } from '@gantry/core-common';
import {
  type ItemTypeDescriptor,
  type ItemTypes,
  type Scope,
  parseCriteria,
  type ParsedCriteria,
  maxTotal,
  parseListQuery,
  type ListQuery,
  searchTextCriterion,
  type ItemRepository,
  itemMetadata,
  modelInfo,
  searchFields,
  type SearchItems,
  type ItemWriter,
} from '@gantry/core-content';
import { routesWith, type HostRoute } from '../exchange/host-routes';
import { itemRoutesWith, type ItemAnswer, type ItemCall, type TypeServices } from './item-route';
import {
  criteriaBody,
  itemRow,
  listMeta,
  listQuery,
  modelInfo as shownType,
  payloadBody,
  searchAllQuery,
  searchAnswer,
  searchGroup,
  searchQuery,
  typePath,
} from './item-schemas';
import { itemMetadata as shownMetadata, searchMetadata } from './metadata-schemas';

export interface TypeRouteServices extends TypeServices {
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
}

export interface AllTypesServices extends Pick<TypeServices, 'scopeOf'> {
  readonly searchItems: SearchItems;
}

/** Serialised once, on first use: descriptors never change while the host runs, and each policy has its own. */
const typesText = onceFor((types: ItemTypes) =>
  JSON.stringify(types.served().map(({ descriptor }) => modelInfo(descriptor))),
);
const metadataText = onceFor((type: ItemTypeDescriptor) => JSON.stringify(itemMetadata(type)));
const searchMetadataText = onceFor((type: ItemTypeDescriptor) => JSON.stringify({ fields: searchFields(type) }));

const allTypes = routesWith<AllTypesServices>();

/** The types, and a search in all of them. */
export const allTypesRoutes: readonly HostRoute<AllTypesServices>[] = [
  allTypes({
    method: 'GET',
    path: '/api/cms/items/types',
    operationId: 'platformTypes',
    summary: 'List the item types',
    description: 'Only types that the caller may read, of plugins that are in use.',
    access: 'items',
    answer: z.array(shownType).describe('The types.'),
    handler: async ({ author, requestId }, { scopeOf }) => ({
      json: typesText(scopeOf(author.principal, requestId).policy.types),
    }),
  }),
  allTypes({
    method: 'POST',
    path: '/api/cms/search',
    operationId: 'platformSearch',
    summary: 'Search the items of all types, up to five of each type',
    description:
      'Searches label fields for the text, and compares it with ids. Items and fields that the caller may not ' +
      'read are left out, and so are types of plugins that are not in use.',
    access: 'items',
    query: searchAllQuery,
    answer: z
      .array(searchGroup)
      .describe('The types with at least one item. Types with an item of exactly that id, code or label come first.'),
    handler: async ({ query: { q }, author, requestId }, { scopeOf, searchItems }) => ({
      json: await searchItems(scopeOf(author.principal, requestId), q),
    }),
  }),
];

const route = itemRoutesWith<TypeRouteServices>();
const items = '/api/cms/items/:type';

/** Routes of one type (specification, section 4). A new type adds no route. */
export const typeRoutes: readonly HostRoute<TypeRouteServices>[] = [
  route({
    method: 'POST',
    path: `${items}/list`,
    operationId: 'list',
    summary: 'list items by criteria, page by page',
    description: 'Criteria that were skipped are in `meta.skipped`.',
    access: 'items',
    keepsNumbers: true,
    refusal: 'BAD_REQUEST',
    params: typePath,
    query: listQuery,
    body: criteriaBody,
    answer: z.array(itemRow).describe('A page of rows.'),
    meta: listMeta,
    envelope: '{Type}ListEnvelope',
    handler: list,
  }),
  route({
    method: 'POST',
    path: `${items}/search`,
    operationId: 'search',
    summary: 'search items by criteria',
    description: 'The matches are streamed in no particular order. Without `limit` the response has no maximum size.',
    access: 'items',
    keepsNumbers: true,
    refusal: 'BAD_REQUEST',
    params: typePath,
    query: searchQuery,
    body: criteriaBody,
    streams: { 'application/json': searchAnswer },
    async handler(
      { query: { limit, ...query }, body, scope, type: { descriptor }, signal, onStalled },
      { repository },
    ) {
      const { criteria, skipped } = criteriaOf(scope, descriptor, query, body);
      const entries = repository.search(scope, descriptor, criteria, limit, { signal, onStalled });
      return { mediaType: 'application/json', stream: searchResults(entries, skipped) };
    },
  }),
  route({
    method: 'POST',
    path: items,
    operationId: 'create',
    summary: 'create an item',
    description: 'All problems are reported together; a value that a unique field has already is a 409.',
    access: 'signed-in',
    action: 'create',
    idempotency: 'optional',
    keepsNumbers: true,
    refusal: 'BAD_REQUEST',
    params: typePath,
    body: payloadBody('{Type}Create'),
    status: 201,
    answer: itemRow.describe('The created row.'),
    envelope: '{Type}RowEnvelope',
    headers: ['ETag', 'Location'],
    async handler({ body, scope, type }, { writer }) {
      const { id, json, version } = await writer.create(scope, type, body);
      return { json, version, headers: { Location: `/api/cms/items/${type.descriptor.code}/${id}` } };
    },
  }),
  route({
    method: 'GET',
    path: `${items}/metadata`,
    operationId: 'describe',
    summary: 'show columns, search inputs and form fields',
    description: 'The readable fields, with the writable ones marked.',
    access: 'items',
    params: typePath,
    answer: shownMetadata,
    handler: async ({ type: { descriptor } }) => ({ json: metadataText(descriptor) }),
  }),
  route({
    method: 'GET',
    path: `${items}/search-metadata`,
    operationId: 'filtersOf',
    summary: 'show the search inputs',
    access: 'items',
    params: typePath,
    answer: searchMetadata,
    handler: async ({ type: { descriptor } }) => ({ json: searchMetadataText(descriptor) }),
  }),
];

async function list(
  { query, body, scope, type: { descriptor } }: ItemCall<typeof typePath, typeof listQuery, typeof criteriaBody>,
  { repository }: TypeRouteServices,
): Promise<ItemAnswer> {
  const total = query.total ? 'exact' : cappedTotal(query);
  const wanted = parseListQuery(descriptor, { limit: query.limit, sort: query.sort, after: query.after, total });
  const { criteria, skipped } = criteriaOf(scope, descriptor, query, body);
  // Without Promise.all(), whose promises every list would pay for (docs/decisions/0008).
  const max = total === 'capped' ? maxTotal + 1 : undefined;
  const counting = total === undefined ? undefined : repository.count(scope, descriptor, criteria, max);
  counting?.catch(() => undefined);
  const page = await repository.list(scope, descriptor, wanted, criteria);
  const counted = counting && (await counting);
  const meta = {
    ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    ...(counted === undefined ? {} : totalOf(counted, total)),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
  return { json: page.rows, meta };
}

function cappedTotal({ cappedTotal: isCapped }: z.output<typeof listQuery>): ListQuery['total'] {
  return isCapped ? 'capped' : undefined;
}

function totalOf(counted: number, total: ListQuery['total']) {
  return total === 'capped' && counted > maxTotal ? { total: maxTotal, isTotalCapped: true } : { total: counted };
}

/** @throws GantryError BAD_REQUEST */
function criteriaOf(
  scope: Scope,
  type: ItemTypeDescriptor,
  { q, strict }: Pick<z.output<typeof searchQuery>, 'q' | 'strict'>,
  body: readonly unknown[],
): ParsedCriteria {
  const parsed = parseCriteria(type, body, { types: scope.policy.types, isStrict: strict });
  return q === undefined ? parsed : { ...parsed, criteria: [...parsed.criteria, searchTextCriterion(type, q)] };
}

/** The answer of a search in pieces, batch by batch. */
async function* searchResults(
  entries: AsyncIterable<readonly string[]>,
  skipped: ParsedCriteria['skipped'],
): StreamResult<string>['stream'] {
  let before = '{"data":[';
  for await (const batch of entries) {
    if (batch.length === 0) continue;
    yield before + batch.join(',');
    before = ',';
  }
  const meta = skipped.length === 0 ? '' : `,"meta":${JSON.stringify({ skipped })}`;
  yield `${before === ',' ? '' : before}]${meta}}`;
}

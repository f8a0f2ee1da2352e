import { z } from 'zod';
import type { ChangeHub } from '../change-hub';
import { firstPosition, formatPosition, parsePosition, type Position } from '@gantry/core-database';
import type { ChangeReader, NewestPage } from '../read-changes';
import { checkRestore, restoreItem, type RestoreDependencies } from '../restore-item';
import type { CompiledItemType, Scope } from '@gantry/core-content';
import {
  type Principal,
  routesWith,
  type HostCall,
  type HostRoute,
  type FindServedType,
  eventStream,
  parseItemId,
  itemPath,
  typePath,
} from '@gantry/core-http';
import {
  changeEvent,
  deletedItem,
  difference,
  differencesQuery,
  feedMeta,
  feedQuery,
  itemChange,
  newestMeta,
  newestQuery,
  restoreBody,
  restored,
  streamQuery,
  versionPath,
} from './change-schemas';
import { followChanges } from './follow-changes';

export interface ChangeServices extends RestoreDependencies {
  readonly scopeOf: (principal: Principal, requestId: string) => Scope;
  readonly findType: FindServedType;
  readonly changes: ChangeReader;
  readonly hub: ChangeHub;
}

const route = routesWith<ChangeServices>();
const items = '/api/cms/items/:type';
const reading = { method: 'GET', access: 'signed-in', tags: ['history'] } as const;
const newest = { query: newestQuery, meta: newestMeta } as const;

/** The change feed, earlier versions of items, and deleted items. */
export const changeRoutes: readonly HostRoute<ChangeServices>[] = [
  route({
    ...reading,
    path: '/api/cms/changes',
    operationId: 'changes',
    summary: 'List changes of items, in the order in which they became visible or the newest first',
    description:
      'To follow the feed, begin with `after=latest` or without `after`, and send `meta.next` as `after` of the next request. ' +
      'The parameters `before`, `actor`, `action`, `from` and `to` are accepted only with `order=newest`, and `after` only without it.',
    errors: ['TYPE_NOT_FOUND'],
    query: feedQuery,
    answer: z
      .array(itemChange)
      .describe(
        'A page. It may have fewer changes than `limit`, because changes that the caller cannot see are left out.',
      ),
    meta: feedMeta,
    async handler({ query, ...call }, services) {
      const scope = scopeOf(call, services);
      const types = query.types?.map((code) => services.findType(scope, code));
      const { order, after, limit, before, actor, action, from, to } = query;
      if (order === 'oldest') return feedAfter(services.changes, { scope, after, limit: limit ?? 100, types });
      const filter = { before, actor, action, from, to };
      return pageOf(await services.changes.newest(scope, filter, limit ?? 50, types));
    },
  }),
  route({
    ...reading,
    path: '/api/cms/changes/stream',
    operationId: 'changeStream',
    summary: 'Stream the change feed as server-sent events',
    description:
      'The events are `change` with a change as JSON, and `position` for changes that the caller cannot see. The id of both is the position. ' +
      'The first one is `ready`. `Last-Event-ID` is used in place of `after`, which is `latest` unless given.',
    limits: { share: 50, max: 500, rate: false, name: 'streams of changes' },
    errors: ['TYPE_NOT_FOUND'],
    query: streamQuery,
    streams: { [eventStream]: changeEvent },
    async handler({ query, client: { headers }, ...call }, services) {
      const scope = scopeOf(call, services);
      const types = query.types?.map((code) => services.findType(scope, code).descriptor.code);
      // A browser that connects again sends the id of the last event it has got.
      const last = headers['last-event-id'];
      const after = typeof last === 'string' && last !== '' ? parseAfter(last) : (query.after ?? 'latest');
      if (after !== 'latest') await services.changes.assertReached('after', after);
      const position = after === 'latest' ? await services.changes.last() : after;
      const followed = { scope, position, types: types && new Set(types) };
      return { mediaType: eventStream, stream: followChanges(services.hub, followed, call) };
    },
  }),
  route({
    ...reading,
    path: `${items}/deleted`,
    operationId: 'deletedItems',
    summary: 'List the deleted items of a type, the latest first',
    params: typePath,
    ...newest,
    answer: z.array(deletedItem).describe('A page.'),
    async handler({ params, query: { before, limit = 50 }, ...call }, services) {
      const scope = scopeOf(call, services);
      return pageOf(await services.changes.deleted(scope, services.findType(scope, params.type), before, limit));
    },
  }),
  route({
    ...reading,
    path: `${items}/:id/history`,
    operationId: 'itemHistory',
    summary: 'List the versions of an item, the newest first, also of a deleted item',
    description: 'Versions that the change feed no longer keeps are left out.',
    params: itemPath,
    ...newest,
    answer: z.array(itemChange).describe('A page.'),
    async handler({ params, query: { before, limit = 50 }, ...call }, services) {
      const scope = scopeOf(call, services);
      const { type, id } = itemOf(services, scope, params);
      return pageOf(await services.changes.history(scope, type, id, before, limit));
    },
  }),
  route({
    ...reading,
    path: `${items}/:id/history/:version`,
    operationId: 'itemVersion',
    summary: 'Show a version of an item',
    description: '404 when the change feed no longer keeps the version.',
    params: versionPath,
    answer: itemChange,
    async handler({ params, ...call }, services) {
      const scope = scopeOf(call, services);
      const { type, id } = itemOf(services, scope, params);
      return { json: await services.changes.version(scope, type, id, params.version) };
    },
  }),
  route({
    ...reading,
    path: `${items}/:id/differences`,
    operationId: 'itemDifferences',
    summary: 'Compare two versions of an item by field',
    description: '404 when the change feed no longer keeps both versions.',
    params: itemPath,
    query: differencesQuery,
    answer: z.array(difference).describe('The fields.'),
    async handler({ params, query: { from, to }, ...call }, services) {
      const scope = scopeOf(call, services);
      const { type, id } = itemOf(services, scope, params);
      return { json: await services.changes.differences(scope, type, id, from, to) };
    },
  }),
  route({
    method: 'POST',
    path: `${items}/:id/restore`,
    operationId: 'restoreItem',
    summary: 'Write the values of an earlier version, or bring back a deleted item',
    description: 'The restore is checked as any other write. If a field cannot be restored, nothing is written.',
    access: 'signed-in',
    tags: ['history'],
    precondition: 'write',
    headers: ['ETag'],
    keepsNumbers: true,
    params: itemPath,
    body: restoreBody,
    answer: restored,
    async handler({ params, body: { check, ...chosen }, precondition, ...call }, services) {
      const scope = scopeOf(call, services);
      const wanted = { ...itemOf(services, scope, params), ...chosen, version: chosen.version };
      if (check) {
        const { version, isDeleted, changes, problems } = await checkRestore(services, scope, wanted);
        const plan = JSON.stringify({ version, isDeleted, problems });
        return { json: `${plan.slice(0, -1)},"changes":[${changes.join(',')}]}` };
      }
      const row = await restoreItem(services, scope, wanted, precondition());
      return { json: row.json, headers: { ETag: `"${row.version}"` } };
    },
  }),
];

function scopeOf(
  { author, requestId }: Pick<HostCall, 'author'> & { readonly requestId: string },
  services: ChangeServices,
) {
  return services.scopeOf(author.principal, requestId);
}

/** @throws GantryError BAD_REQUEST */
function parseAfter(text: string): Position | 'latest' {
  return text === 'latest' ? text : parsePosition('after', text);
}

interface AfterPosition {
  readonly scope: Scope;
  readonly after: Position | 'latest' | undefined;
  readonly limit: number;
  readonly types: readonly CompiledItemType[] | undefined;
}

async function feedAfter(changes: ChangeReader, { scope, after, limit, types }: AfterPosition) {
  if (after === 'latest') return { json: '[]', meta: { next: formatPosition(await changes.last()), hasMore: false } };
  const page = await changes.after(scope, after ?? firstPosition, limit, types);
  if (page.changes.length === 0 && after !== undefined) await changes.assertReached('after', after);
  const meta = { next: formatPosition(page.next), hasMore: page.hasMore };
  return { json: `[${page.changes.map(({ json }) => json).join(',')}]`, meta };
}

function pageOf({ rows, nextBefore }: NewestPage) {
  const meta = nextBefore === undefined ? {} : { nextBefore: formatPosition(nextBefore) };
  return { json: `[${rows.join(',')}]`, meta };
}

/** The type and the id that a path names. @throws GantryError TYPE_NOT_FOUND, ITEM_NOT_FOUND */
function itemOf(
  { findType }: Pick<ChangeServices, 'findType'>,
  scope: Scope,
  { type: code, id: text }: { readonly type: string; readonly id: string },
): { readonly type: CompiledItemType; readonly id: string } {
  const type = findType(scope, code);
  return { type, id: parseItemId(type.descriptor, text) };
}

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
    summary: 'Changes of items, in the order in which they became visible, or the newest first',
    description:
      'A program that follows the feed begins with `after=latest` or without `after`, and sends `meta.next` as `after` of its next request. ' +
      'The parameters `before`, `actor`, `action`, `from` and `to` are known with `order=newest` only, and `after` without it only.',
    errors: ['TYPE_NOT_FOUND'],
    query: feedQuery,
    answer: z
      .array(itemChange)
      .describe('A page. It may have fewer changes than `limit`, as some are not shown to the caller.'),
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
    summary: 'The change feed as server-sent events',
    description:
      'The events are `change` with a change as JSON, and `position` where there is nothing that the caller sees; the id of both is the position. ' +
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
    summary: 'Items that were deleted and do not exist, the last ones first',
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
    summary: 'The versions of an item, the newest first; of a deleted item too',
    description: 'Without versions that the change feed does not keep any more.',
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
    summary: 'One version of an item',
    description: '404 once the change feed does not keep it.',
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
    summary: 'The fields in which two versions of an item differ',
    description: '404 once the change feed does not keep both.',
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
    description: 'Checked as any other write; nothing is written when a field cannot be restored.',
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

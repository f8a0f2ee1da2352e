import { changeActions } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { Response } from 'express';
import { isStoredTime } from '../../common/stored-time';
import type { CompiledItemType } from '../../content/compile/descriptor';
import { firstPosition, formatPosition, parsePosition } from '../../content/changes/position';
import type { ChangeReader } from '../../content/changes/read-changes';
import type { Scope } from '../../content/policy/scope';
import { parseLimit } from '../../content/query/list-query';
import { addReadRoute, type Routes } from '../exchange/routes';
import { storedText } from '../../identity';
import { parseQuery } from '../exchange/query';
import type { FindServedType, ScopeOf } from '../exchange/request-scope';
import { sendData } from '../exchange/send';
import { maxChanges, pageOf, sendPage } from './history-routes';

export interface ChangeRouteDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly changes: ChangeReader;
}

type Query = Readonly<Record<string, string>>;

const defaultLimit = 100;

/** The change feed, in order for programs that follow it, and the newest first for people. */
export function changeRoutes({ scopeOf, findType, changes }: ChangeRouteDependencies): Routes {
  return (app) => {
    addReadRoute(app, '/api/cms/changes', async (request, response) => {
      const scope = scopeOf(request);
      const query = parseQuery(request, [
        ...['after', 'types', 'limit', 'order'],
        ...['before', 'actor', 'action', 'from', 'to'],
      ]);
      const types = parseTypes(query, scope, findType);
      if (isNewestFirst(query)) {
        const { before, limit } = pageOf(query);
        const filter = { before, ...filterOf(query) };
        sendPage(response, await changes.newest(scope, filter, limit, types));
      } else await sendAfter(response, changes, scope, query, types);
    });
  };
}

async function sendAfter(
  response: Response,
  changes: ChangeReader,
  scope: Scope,
  query: Query,
  types: readonly CompiledItemType[] | undefined,
): Promise<void> {
  const { after } = query;
  const limit = query['limit'] === undefined ? defaultLimit : parseLimit(query['limit'], maxChanges);
  if (after === 'latest') {
    sendData(response, 200, '[]', { next: formatPosition(await changes.last()), hasMore: false });
    return;
  }
  const position = after === undefined ? firstPosition : parsePosition('after', after);
  const page = await changes.after(scope, position, limit, types);
  sendData(response, 200, `[${page.changes.map(({ json }) => json).join(',')}]`, {
    next: formatPosition(page.next),
    hasMore: page.hasMore,
  });
}

/** Parameters that only one of the two orders knows. */
const ofOrder = { newest: ['before', 'actor', 'action', 'from', 'to'], oldest: ['after'] } as const;

/** @throws GantryError BAD_REQUEST for a parameter of the other order */
function isNewestFirst(query: Query): boolean {
  const { order = 'oldest' } = query;
  if (order !== 'newest' && order !== 'oldest') {
    throw new GantryError('BAD_REQUEST', `order must be newest or oldest; "${truncate(order)}" was sent.`);
  }
  const other = order === 'newest' ? 'oldest' : 'newest';
  const foreign = ofOrder[other].find((name) => query[name] !== undefined);
  if (foreign !== undefined) throw new GantryError('BAD_REQUEST', `${foreign} is accepted with order=${other} only.`);
  return order === 'newest';
}

/** @throws GantryError TYPE_NOT_FOUND */
export function parseTypes(
  { types }: Query,
  scope: Scope,
  findType: FindServedType,
): readonly CompiledItemType[] | undefined {
  return types?.split(',').map((code) => findType(scope, code));
}

function filterOf({ actor, action, from, to }: Query) {
  if (action !== undefined && !changeActions.some((known) => known === action)) {
    throw new GantryError('BAD_REQUEST', `action must be one of ${changeActions.join(', ')}.`);
  }
  if (actor !== undefined && !storedText(254).safeParse(actor).success) {
    throw new GantryError('BAD_REQUEST', 'actor must be text of at most 254 characters, such as user:7.');
  }
  return { actor, action, from: parseTime('from', from), to: parseTime('to', to) };
}

/** @throws GantryError BAD_REQUEST */
function parseTime(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]{4,15}(Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (isStoredTime(time)) return time.toISOString();
  throw new GantryError(
    'BAD_REQUEST',
    `${name} must be a time, such as 2026-11-24T08:00:00Z; "${truncate(text)}" was sent.`,
  );
}

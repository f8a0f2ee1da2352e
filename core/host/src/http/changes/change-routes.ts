import { changeActions } from '@gantry/contracts';
import { invalidParameter } from '@gantry/plugin-api';
import type { Response } from 'express';
import { isStoredTime } from '../../common/stored-time';
import type { CompiledItemType } from '../../content/compile/descriptor';
import { firstPosition, formatPosition, parsePosition } from '../../content/changes/position';
import type { ChangeReader } from '../../content/changes/read-changes';
import type { Scope } from '../../content/policy/scope';
import { parseCount, parseOption, refusedParameter } from '../../content/query/parameters';
import { addReadRoute, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import { parseText } from '../exchange/text-parameter';
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
  const limit = query['limit'] === undefined ? defaultLimit : parseCount('limit', query['limit'], maxChanges);
  if (after === 'latest') {
    sendData(response, 200, '[]', { next: formatPosition(await changes.last()), hasMore: false });
    return;
  }
  const position = after === undefined ? firstPosition : parsePosition('after', after);
  const page = await changes.after(scope, position, limit, types);
  if (page.changes.length === 0 && after !== undefined) await changes.assertReached('after', position);
  sendData(response, 200, `[${page.changes.map(({ json }) => json).join(',')}]`, {
    next: formatPosition(page.next),
    hasMore: page.hasMore,
  });
}

/** Parameters that only one of the two orders knows. */
const ofOrder = { newest: ['before', 'actor', 'action', 'from', 'to'], oldest: ['after'] } as const;

/** @throws GantryError BAD_REQUEST for a parameter of the other order */
function isNewestFirst(query: Query): boolean {
  const order = parseOption('order', query['order'] ?? 'oldest', ['newest', 'oldest']);
  const other = order === 'newest' ? 'oldest' : 'newest';
  const foreign = ofOrder[other].find((name) => query[name] !== undefined);
  if (foreign !== undefined) throw invalidParameter(foreign, `${foreign} is accepted with order=${other} only`);
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
  return {
    actor: actor === undefined ? undefined : parseText('actor', actor),
    action: action === undefined ? undefined : parseOption('action', action, changeActions),
    from: parseTime('from', from),
    to: parseTime('to', to),
  };
}

/** @throws GantryError BAD_REQUEST */
function parseTime(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]{4,15}(Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (isStoredTime(time)) return time.toISOString();
  throw refusedParameter(name, 'WRONG_TYPE', 'a time, such as 2026-11-24T08:00:00Z', text);
}

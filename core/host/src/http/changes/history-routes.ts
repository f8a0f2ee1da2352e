import type { DetailCode } from '@gantry/contracts';
import { GantryError, invalidParameter } from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import { truncate } from '@gantry/core-common';
import { isJsonObject, numberText } from '../../common/json';
import type { CompiledItemType } from '../../content/compile/descriptor';
import type { ChangeReader, NewestPage } from '../../content/changes/read-changes';
import { formatPosition, parsePosition, type Position } from '../../content/changes/position';
import {
  checkRestore,
  restoreItem,
  type RestoreDependencies,
  type RestoreRequest,
} from '../../content/changes/restore-item';
import { readId } from '../../content/kinds/reference';
import { parseCount } from '../../content/query/parameters';
import type { Scope } from '../../content/policy/scope';
import type { ReadJson } from '../exchange/body';
import { addPath, addReadRoute, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import type { FindServedType, ScopeOf } from '../exchange/request-scope';
import { sendData } from '../exchange/send';
import { parsePrecondition } from '../items/preconditions';

export interface HistoryRouteDependencies extends RestoreDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly readJson: ReadJson;
  readonly changes: ChangeReader;
}

type ItemRequest = Request<{ type: string; id: string }>;

const items = '/api/cms/items';

/** Rows of a page at most. */
export const maxChanges = 1_000;
const defaultChanges = 50;

/** Earlier versions of items, deleted items, and how both come back. */
export function historyRoutes(dependencies: HistoryRouteDependencies): Routes {
  const { scopeOf, findType, changes } = dependencies;
  return (app) => {
    addReadRoute<{ type: string }>(app, `${items}/:type/deleted`, async (request, response) => {
      const scope = scopeOf(request);
      const type = findType(scope, request.params.type);
      const { before, limit } = pageOf(parseQuery(request, ['before', 'limit']));
      sendPage(response, await changes.deleted(scope, type, before, limit));
    });
    addReadRoute<{ type: string; id: string }>(app, `${items}/:type/:id/history`, async (request, response) => {
      const { scope, type, id } = itemOf(dependencies, request);
      const { before, limit } = pageOf(parseQuery(request, ['before', 'limit']));
      sendPage(response, await changes.history(scope, type, id, before, limit));
    });
    addReadRoute<{ type: string; id: string; version: string }>(
      app,
      `${items}/:type/:id/history/:version`,
      async (request, response) => {
        const { scope, type, id } = itemOf(dependencies, request);
        parseQuery(request, []);
        const version = parseVersion('version', request.params.version);
        sendData(response, 200, await changes.version(scope, type, id, version));
      },
    );
    addReadRoute<{ type: string; id: string }>(app, `${items}/:type/:id/differences`, async (request, response) => {
      const { scope, type, id } = itemOf(dependencies, request);
      const { from, to } = parseQuery(request, ['from', 'to']);
      const [first, second] = [parseVersion('from', from), parseVersion('to', to)];
      sendData(response, 200, await changes.differences(scope, type, id, first, second));
    });
    addPath<{ type: string; id: string }>(app, `${items}/:type/:id/restore`, {
      post: (request, response) => restore(dependencies, request, response),
    });
  };
}

async function restore(
  dependencies: HistoryRouteDependencies,
  request: ItemRequest,
  response: Response,
): Promise<void> {
  const { scope, type, id } = itemOf(dependencies, request);
  parseQuery(request, []);
  const precondition = parsePrecondition(request.headers);
  const { isCheck, ...chosen } = parseRestore(type, await dependencies.readJson(request, response));
  const wanted: RestoreRequest = { ...chosen, type, id };
  if (isCheck) {
    const { version, isDeleted, changes, problems } = await checkRestore(dependencies, scope, wanted);
    const plan = JSON.stringify({ version, isDeleted, problems });
    sendData(response, 200, `${plan.slice(0, -1)},"changes":[${changes.join(',')}]}`);
    return;
  }
  const row = await restoreItem(dependencies, scope, wanted, precondition);
  sendData(response, 200, row.json, undefined, { ETag: `"${row.version}"` });
}

const restoreMembers: ReadonlySet<string> = new Set(['version', 'check', 'without', 'values']);

function parseRestore(
  { descriptor }: CompiledItemType,
  body: unknown,
): Pick<RestoreRequest, 'version' | 'without' | 'values'> & { readonly isCheck: boolean } {
  const action = `restore ${descriptor.displayName}`;
  const object = body === undefined ? {} : body;
  if (!isJsonObject(object)) return refuse(action, 'the body must be a JSON object');
  const unknown = Object.keys(object).find((name) => !restoreMembers.has(name));
  if (unknown !== undefined) {
    refuse(action, `"${truncate(unknown)}" is not known; known are ${[...restoreMembers].join(', ')}`);
  }
  const { check = false, without = [], values = {} } = object;
  if (typeof check !== 'boolean') refuse(action, 'check must be true or false');
  if (!Array.isArray(without) || !without.every((name) => typeof name === 'string')) {
    refuse(action, 'without must be an array of names of fields');
  }
  if (!isJsonObject(values)) return refuse(action, 'values must be an object of values by field');
  const version = Object.hasOwn(object, 'version') ? (numberText(object['version']) ?? 'no number') : undefined;
  return {
    isCheck: check,
    version: version === undefined ? undefined : parseVersion('version', version),
    without,
    values,
  };
}

function refuse(action: string, reason: string): never {
  throw new GantryError('BAD_REQUEST', `Failed to ${action}: ${reason}.`);
}

function itemOf(
  { scopeOf, findType }: HistoryRouteDependencies,
  request: ItemRequest,
): { readonly scope: Scope; readonly type: CompiledItemType; readonly id: string } {
  const scope = scopeOf(request);
  const type = findType(scope, request.params.type);
  const id = readId(request.params.id);
  if (id.ok) return { scope, type, id: id.value };
  throw new GantryError(
    'ITEM_NOT_FOUND',
    `${type.descriptor.displayName} not found: ${truncate(request.params.id)} is not an id; ids are whole numbers from 1.`,
  );
}

function parseVersion(name: string, text = ''): number {
  const version = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (version >= 1 && version <= 2_147_483_647) return version;
  throw invalidParameter(
    name,
    `${name} must be a version of the item, a whole number from 1`,
    (text === '' ? 'REQUIRED' : 'WRONG_TYPE') satisfies DetailCode,
  );
}

/** Where a page that is newest first begins, and how many rows it has at most. */
export function pageOf({ before, limit }: Readonly<Record<string, string>>): {
  readonly before: Position | undefined;
  readonly limit: number;
} {
  return {
    before: before === undefined ? undefined : parsePosition('before', before),
    limit: limit === undefined ? defaultChanges : parseCount('limit', limit, maxChanges),
  };
}

export function sendPage(response: Response, { rows, nextBefore }: NewestPage): void {
  const meta = nextBefore === undefined ? {} : { nextBefore: formatPosition(nextBefore) };
  sendData(response, 200, `[${rows.join(',')}]`, meta);
}

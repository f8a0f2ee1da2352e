import type { ErrorDetail, StartupReport } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { AttentionEntry } from '../../content/read/attention';
import type { Scope } from '../../content/policy/scope';
import { parseFlag } from '../../content/query/parameters';
import type { HidePaths } from '../exchange/hide-paths';
import { assertPermission } from '../exchange/principal';
import { addReadRoute, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import type { ScopeOf } from '../exchange/request-scope';
import { sendData } from '../exchange/send';

export interface PlatformRouteDependencies {
  readonly scopeOf: ScopeOf;
  /** Whether anyone has created an item yet. */
  readonly hasItems: (scope: Scope) => Promise<boolean>;
  /** Items of all types by the value of a field, as JSON text. */
  readonly findItemsByValue: (scope: Scope, field: string, value: string) => Promise<string>;
  /** Items that need a person, by the declarations of their types. */
  readonly attention: (scope: Scope) => Promise<readonly AttentionEntry[]>;
  /** The items that changed last, as JSON text. */
  readonly recentItems: (scope: Scope) => Promise<string>;
  /** With `found`, also what was put into the plugin folders since the start. */
  readonly report: (found: boolean) => Promise<StartupReport>;
  readonly hidePaths: HidePaths;
}

/** What the pages ask of the platform as a whole. */
export function platformRoutes({
  scopeOf,
  hasItems,
  findItemsByValue,
  attention,
  recentItems,
  report,
  hidePaths,
}: PlatformRouteDependencies): Routes {
  return (app) => {
    addReadRoute(app, '/api/platform/content', async (request, response) => {
      parseQuery(request, []);
      sendData(response, 200, JSON.stringify({ hasItems: await hasItems(scopeOf(request)) }));
    });
    addReadRoute(app, '/api/platform/items', async (request, response) => {
      const { field = '', value = '' } = parseQuery(request, ['field', 'value']);
      assertGiven({ field, value });
      sendData(response, 200, await findItemsByValue(scopeOf(request), field, value));
    });
    addReadRoute(app, '/api/platform/attention', async (request, response) => {
      parseQuery(request, []);
      sendData(response, 200, JSON.stringify(await attention(scopeOf(request))));
    });
    addReadRoute(app, '/api/platform/recent', async (request, response) => {
      parseQuery(request, []);
      sendData(response, 200, await recentItems(scopeOf(request)));
    });
    addReadRoute(app, '/api/platform/plugins', async (request, response) => {
      const { found } = parseQuery(request, ['found']);
      assertPermission(request, 'plugins.read');
      sendData(response, 200, hidePaths(JSON.stringify(await report(parseFlag('found', found)))));
    });
  };
}

/** @throws GantryError BAD_REQUEST that names the parameters without a value */
function assertGiven(parameters: Readonly<Record<string, string>>): void {
  const names = Object.keys(parameters).filter((name) => parameters[name]?.trim() === '');
  if (names.length === 0) return;
  const details = names.map((path): ErrorDetail => ({ path, code: 'REQUIRED', message: `${path} must be given` }));
  throw new GantryError('BAD_REQUEST', `${names.join(' and ')} must be given.`, { details });
}

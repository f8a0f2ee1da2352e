import type { Grant } from '@gantry/contracts';
import { isJsonObject } from '../../common/json';
import { parseCount, refusedParameter } from '../../content/query/parameters';
import type { AuditEvent, Identity } from '../../identity';
import type { GrantsShownTo } from './grants-shown-to';
import { parseQuery } from '../exchange/query';
import { parseText } from '../exchange/text-parameter';
import { addReadRoute, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission } from '../exchange/principal';

const maxLimit = 1_000;

export interface AuditRouteDependencies {
  readonly identity: Pick<Identity, 'audit'>;
  /** The grants of roles as who makes the request may see them. */
  readonly grantsShownTo: GrantsShownTo;
}

/** The audit log, the latest events first. Events about roles show of their grants what who asks may see. */
export function auditRoutes({ identity: { audit }, grantsShownTo }: AuditRouteDependencies): Routes {
  return (app) => {
    addReadRoute(app, '/api/platform/audit', async (request, response) => {
      assertPermission(request, 'audit.read');
      const query = parseQuery(request, ['limit', 'before', 'actor', 'action', 'from', 'to']);
      const { limit = '50', before, actor, action, from, to } = query;
      const events = await audit.list({
        limit: parseCount('limit', limit, maxLimit),
        ...(before === undefined ? {} : { before: String(parseCount('before', before, Number.MAX_SAFE_INTEGER)) }),
        ...(actor === undefined ? {} : { actor: parseText('actor', actor) }),
        ...(action === undefined ? {} : { action: parseText('action', action) }),
        ...(from === undefined ? {} : { from: parseTime('from', from) }),
        ...(to === undefined ? {} : { to: parseTime('to', to) }),
      });
      const shown = grantsShownTo(request);
      sendData(response, 200, JSON.stringify(events.map((event) => withShownRoles(event, shown))));
    });
  };
}

function withShownRoles(event: AuditEvent, shown: ReturnType<GrantsShownTo>): AuditEvent {
  const { role, roles } = event.detail;
  const detail = {
    ...event.detail,
    ...(role === undefined ? {} : { role: shownRole(role, shown) }),
    ...(Array.isArray(roles) ? { roles: roles.map((one: unknown) => shownRole(one, shown)) } : {}),
  };
  return { ...event, detail };
}

/** @param role only its name in events about users */
function shownRole(role: unknown, shown: ReturnType<GrantsShownTo>): unknown {
  if (!isJsonObject(role) || !Array.isArray(role['grants'])) return role;
  return { ...role, grants: shown(role['grants'] as readonly Grant[]) };
}

const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

function parseTime(name: string, text: string): Date {
  const time = new Date(text);
  if (instant.test(text) && !Number.isNaN(time.getTime())) return time;
  const expected =
    'a date (its begin in UTC) or a time with its zone in ISO 8601, such as 2026-03-01 or 2026-03-01T09:30:00Z';
  throw refusedParameter(name, 'WRONG_TYPE', expected, text);
}

import { GantryError } from '@gantry/plugin-api';
import type { Grant } from '@gantry/contracts';
import { isJsonObject } from '../../common/json';
import type { AuditEvent, Identity } from '../../identity';
import type { GrantsShownTo } from './grants-shown-to';
import { parseQuery } from '../exchange/query';
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
      const { limit = '50', before } = parseQuery(request, ['limit', 'before']);
      const events = await audit.list({
        limit: parseCount('limit', limit, maxLimit),
        ...(before === undefined ? {} : { before: String(parseCount('before', before, Number.MAX_SAFE_INTEGER)) }),
      });
      const shown = grantsShownTo(request);
      sendData(response, 200, JSON.stringify(events.map((event) => withShownRole(event, shown))));
    });
  };
}

function withShownRole(event: AuditEvent, shown: ReturnType<GrantsShownTo>): AuditEvent {
  const { role } = event.detail;
  if (!isJsonObject(role) || !Array.isArray(role['grants'])) return event;
  const grants = shown(role['grants'] as readonly Grant[]);
  return { ...event, detail: { ...event.detail, role: { ...role, grants } } };
}

function parseCount(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= 1 && value <= max) return value;
  throw new GantryError('BAD_REQUEST', `${name} must be a whole number from 1 to ${max}.`);
}

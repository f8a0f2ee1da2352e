import type { Grant } from '@gantry/contracts';
import type { Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { isJsonObject, count, instant, time, storedText } from '@gantry/core-common';
import type { AuditEvent } from '../audit';
import type { Identity } from '../create-identity';
import { type Principal, routesWith } from '@gantry/core-http';
import type { ShowGrants } from './grants-shown-to';

export interface AuditServices {
  readonly audit: Identity['audit'];
  /** The grants of roles as somebody may see them. */
  readonly grantsShownTo: (principal: Principal) => ShowGrants;
}

const timeFormat = 'A date (its start in UTC), or a time with its zone in ISO 8601.';

const auditQuery = z.object({
  limit: count(1_000).default(50).meta({ description: 'Maximum number of events.', default: 50 }),
  before: count(Number.MAX_SAFE_INTEGER).exactOptional().describe('Id of an event; only older ones are returned.'),
  actor: storedText(254).exactOptional().describe('Only events of this actor, such as `user:12`.'),
  action: storedText(254).exactOptional().describe('Only events with this action, such as `sign-in`.'),
  from: time.exactOptional().describe(`Only events at this time or later. ${timeFormat}`),
  to: time.exactOptional().describe(`Only events before this time. ${timeFormat}`),
});

const auditEvent = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string().describe('The actor, such as `user:12`.'),
    actorName: z.string().exactOptional().describe('Display name of the actor, for a user that still exists.'),
    action: z.string(),
    subject: z.string(),
    address: z.string().describe('IP address of the client.'),
    count: z
      .int()
      .min(1)
      .describe(
        'Number of equal events in the same minute; more than 1 only for refusals and uses of the system scope.',
      ),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent', description: 'An event of the audit log.' });

const route = routesWith<AuditServices>();

/** The audit log. Events about roles show of their grants what who asks may see. */
export const auditRoutes: readonly Route<AuditServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/audit',
    operationId: 'readAuditLog',
    summary: 'List the events of the audit log, the latest first',
    description: 'For the next page, send the id of the last event as `before`.',
    access: { permission: 'audit.read' },
    query: auditQuery,
    answer: z.array(auditEvent),
    async handler({ query: { before, ...query }, author: { principal } }, { audit, grantsShownTo }) {
      const events = await audit.list({ ...query, ...(before === undefined ? {} : { before: String(before) }) });
      const shown = grantsShownTo(principal);
      return { data: events.map((event) => withShownRoles(event, shown)) };
    },
  }),
];

function withShownRoles(event: AuditEvent, shown: ShowGrants): AuditEvent {
  const { role, roles } = event.detail;
  const detail = {
    ...event.detail,
    ...(role === undefined ? {} : { role: shownRole(role, shown) }),
    ...(Array.isArray(roles) ? { roles: roles.map((one: unknown) => shownRole(one, shown)) } : {}),
  };
  return { ...event, detail };
}

/** @param role only its name in events about users */
function shownRole(role: unknown, shown: ShowGrants): unknown {
  if (!isJsonObject(role) || !Array.isArray(role['grants'])) return role;
  return { ...role, grants: shown(role['grants'] as readonly Grant[]) };
}

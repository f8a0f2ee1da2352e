import type { Permission } from '@gantry/contracts';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { HealthPart } from '../ports/health-part';
import type { HidePaths } from '../exchange/answer/hide-paths';
import { routesWith, type HostRoute } from '../exchange/host-routes';
import { readinessStatus, type Health } from './health';

export interface HealthServices {
  readonly health: Health;
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
  readonly hidePaths: HidePaths;
}

/** Permissions of roles besides items, for routes of the kernel. */
export const kernelPermissions: readonly Permission[] = [
  { name: 'metrics.read', displayName: 'Read metrics and the parts of the readiness', roles: ['operator'] },
];

const route = routesWith<HealthServices>();

/** Probes of one address come from many: orchestrators and load balancers. They are answered at once, or from memory. */
const limits = { share: 100, rate: false } as const;

const readiness = z
  .object({
    status: z.enum(['ready', 'degraded', 'starting', 'draining', 'unavailable']),
    parts: z.array(
      z.object({
        name: z.string(),
        status: z.enum(['up', 'degraded', 'down']),
        message: z.string().exactOptional(),
        subscription: z
          .string()
          .exactOptional()
          .describe('Id of the webhook, or `<plugin>/<name>` for the subscription of a plugin.'),
      }),
    ),
  })
  .meta({ id: 'Readiness' });

/** Routes for orchestrators and monitoring. */
export const healthRoutes: readonly HostRoute<HealthServices>[] = [
  route({
    method: 'GET',
    path: '/livez',
    operationId: 'platformAlive',
    summary: 'Check the liveness of the process, without other services',
    description: 'For orchestrators that restart a process that does not respond.',
    access: 'public',
    limits,
    answer: z.object({ status: z.literal('alive') }).describe('The process is running.'),
    handler: async () => ({ data: { status: 'alive' as const } }),
  }),
  route({
    method: 'GET',
    path: '/readyz',
    operationId: 'platformReady',
    summary: 'Check the readiness of the platform and its parts',
    description:
      'For load balancers. Parts are shown to callers with the permission `metrics.read`; subscriptions also with ' +
      '`webhooks.manage`.',
    access: 'public',
    limits,
    answer: readiness,
    status: {
      200: 'The platform serves requests, at least in part.',
      503: 'The platform is starting or stopping, or a required service is unavailable.',
    },
    async handler({ client: { principal } }, { health, hidePaths }) {
      const found = await health.readiness();
      const may = (permission: string): boolean => principal?.rights.may(permission) === true;
      const shows = ({ subscription }: HealthPart): boolean =>
        may('metrics.read') || (subscription !== undefined && may('webhooks.manage'));
      const json = hidePaths(JSON.stringify({ status: found.status, parts: found.parts.filter(shows) }));
      const status = readinessStatus(found);
      return { status, json, ...(status === 503 ? { headers: { 'Retry-After': '5' } } : {}) };
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    operationId: 'platformMetrics',
    summary: 'Get metrics for Prometheus',
    description: 'Times are in seconds and sizes in bytes; the names of the metrics include the unit.',
    access: { permission: 'metrics.read' },
    answer: { mediaType: 'text/plain', description: 'Prometheus text format.' },
    handler: async (_call, { registry }) => ({
      text: await registry.metrics(),
      headers: { 'Content-Type': registry.contentType },
    }),
  }),
];

import type { HealthPart } from '../../common/health-part';
import { assertPermission, findPrincipal } from '../exchange/principal';
import type { HidePaths } from '../exchange/hide-paths';
import { addReadRoute, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import { sendData } from '../exchange/send';
import { readinessStatus, type Health } from './health';
import type { Metrics } from './metrics';

export interface HealthRouteDependencies {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly hidePaths: HidePaths;
}

/** What orchestrators and monitoring ask. */
export function healthRoutes({ health, metrics, hidePaths }: HealthRouteDependencies): Routes {
  return (app) => {
    addReadRoute(app, '/livez', (request, response) => {
      parseQuery(request, []);
      sendData(response, 200, '{"status":"alive"}');
    });
    addReadRoute(app, '/readyz', async (request, response) => {
      parseQuery(request, []);
      const readiness = await health.readiness();
      const status = readinessStatus(readiness);
      const rights = findPrincipal(request)?.rights;
      const shows = ({ subscription }: HealthPart): boolean =>
        rights?.may('metrics.read') === true || (subscription !== undefined && rights?.may('webhooks.manage') === true);
      const shown = { status: readiness.status, parts: readiness.parts.filter(shows) };
      const headers: Readonly<Record<string, string>> = status === 503 ? { 'Retry-After': '5' } : {};
      sendData(response, status, hidePaths(JSON.stringify(shown)), undefined, headers);
    });
    addReadRoute(app, '/metrics', async (request, response) => {
      parseQuery(request, []);
      assertPermission(request, 'metrics.read');
      response.setHeader('Content-Type', metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
    });
  };
}

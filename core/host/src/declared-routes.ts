import type { CompiledRoute } from '@gantry/core-loader';
import {
  compileHostRoute,
  type HostRoute,
  itemRoutes,
  allTypesRoutes,
  typeRoutes,
  documentRoutes,
  healthRoutes,
  platformRoutes,
} from '@gantry/core-http';
import {
  accountRoutes,
  auditRoutes,
  explainRoutes,
  oidcRoutes,
  roleRoutes,
  signInRoutes,
  tokenRoutes,
  userRoutes,
  viewAsRoutes,
} from '@gantry/core-identity';
import { changeRoutes } from '@gantry/core-history';
import { transferRoutes } from '@gantry/core-transfer';
import { commandRoutes } from './plugin-routes/command-routes';
import { packageRoutes } from './plugin-routes/package-routes';
import { pluginChangeRoutes } from './plugin-routes/plugin-change-routes';
import { reportRoutes } from './plugin-routes/report-routes';
import { subscriptionRoutes, webhookRoutes } from '@gantry/core-webhooks';

/** All routes of the platform that are declared with their contracts, for documents about them. */
export const declaredRoutes: readonly HostRoute<never>[] = [
  ...platformRoutes,
  ...allTypesRoutes,
  ...typeRoutes,
  ...itemRoutes,
  ...changeRoutes,
  ...transferRoutes,
  ...reportRoutes,
  ...commandRoutes,
  ...packageRoutes,
  ...pluginChangeRoutes,
  ...healthRoutes,
  ...documentRoutes,
  ...signInRoutes,
  ...oidcRoutes,
  ...accountRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...roleRoutes,
  ...viewAsRoutes,
  ...explainRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...subscriptionRoutes,
];

/** The same with their schemas made ready, as documents describe them. */
export function compiledRoutes(): readonly CompiledRoute[] {
  return declaredRoutes.map(compileHostRoute);
}

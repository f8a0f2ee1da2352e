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
import { history } from '@gantry/core-history';
import { identityRoutes } from '@gantry/core-identity';
import { transfer } from '@gantry/core-transfer';
import { webhooks } from '@gantry/core-webhooks';
import { lifecycleRoutes } from './lifecycle';

/** All routes of the platform that are declared with their contracts, for documents about them. */
export const declaredRoutes: readonly HostRoute<never>[] = [
  ...platformRoutes,
  ...allTypesRoutes,
  ...typeRoutes,
  ...itemRoutes,
  ...history.routes,
  ...transfer.routes,
  ...lifecycleRoutes,
  ...healthRoutes,
  ...documentRoutes,
  ...identityRoutes,
  ...webhooks.routes,
];

/** The same with their schemas made ready, as documents describe them. */
export function compiledRoutes(): readonly CompiledRoute[] {
  return declaredRoutes.map(compileHostRoute);
}

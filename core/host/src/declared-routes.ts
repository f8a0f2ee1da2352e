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
import { routesOfModules } from './modules';

/** All routes of the platform that are declared with their contracts, for documents about them. */
export const declaredRoutes: readonly HostRoute<never>[] = [
  ...platformRoutes,
  ...allTypesRoutes,
  ...typeRoutes,
  ...itemRoutes,
  ...routesOfModules,
  ...healthRoutes,
  ...documentRoutes,
];

/** The same with their schemas made ready, as documents describe them. */
export function compiledRoutes(): readonly CompiledRoute[] {
  return declaredRoutes.map(compileHostRoute);
}

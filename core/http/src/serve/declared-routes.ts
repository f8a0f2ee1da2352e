import type { CompiledRoute } from '@gantry/core-loader';
import { compileHostRoute, type HostRoute } from '../exchange/host-routes';
import { itemRoutes } from '../items/item-routes';
import { allTypesRoutes, typeRoutes } from '../items/type-routes';
import type { Module } from '../module';
import { contributedRoutes } from '../platform/contributed-routes';
import { documentRoutes } from '../platform/document-routes';
import { healthRoutes } from '../platform/health-routes';
import { platformRoutes } from '../platform/platform-routes';

/** All routes of the platform that are declared with their contracts, for documents about them. */
export function declaredRoutes(modules: readonly Pick<Module<never, never>, 'routes'>[]): readonly HostRoute<never>[] {
  return [
    ...platformRoutes,
    ...allTypesRoutes,
    ...typeRoutes,
    ...itemRoutes,
    ...contributedRoutes,
    ...modules.flatMap(({ routes }) => routes),
    ...healthRoutes,
    ...documentRoutes,
  ];
}

/** The same with their schemas made ready, as documents describe them. */
export function compileRoutes(modules: readonly Pick<Module<never, never>, 'routes'>[]): readonly CompiledRoute[] {
  return declaredRoutes(modules).map(compileHostRoute);
}

import { onceFor } from '@gantry/core-common';
import { routeCallsOf, type RouteCalls } from '@gantry/core-loader';
import { compileHostRoute } from '../exchange/host-routes';
import type { Module } from '../module';

type Contributing = Pick<Module<never, never>, 'id' | 'displayName' | 'contributes' | 'routes'>;

/** Contributions of a module that are made of its routes. @throws Error for one that does not fit its route */
export const callsOfModule = onceFor(({ id, displayName = id, contributes, routes }: Contributing): RouteCalls => {
  if (contributes === undefined) return { commands: [], homeCards: [], tablePages: [] };
  // Others see a contribution by the access of its route alone.
  const compiled = routes.filter(({ demand }) => demand === undefined).map(compileHostRoute);
  const { problems, ...calls } = routeCallsOf({ id, displayName }, contributes, compiled);
  if (problems.length > 0) throw new Error(`${id}: ${problems.map(({ reason }) => reason).join('; ')}`);
  return calls;
});

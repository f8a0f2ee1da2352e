import { isGantryError, type RouteAccess } from '@gantry/plugin-api';
import type { Rights } from '../../ports/rights';
import type { Demand } from '../host-routes';

/** Whether rights let a route be used; a route of a plugin that says nothing of its callers is for administrators. */
export function mayUse(access: RouteAccess | undefined, demand: Demand | undefined, rights: Rights): boolean {
  if (access === undefined) return rights.isAdministrator;
  if (typeof access === 'object' && !rights.may(access.permission)) return false;
  try {
    demand?.rights?.(rights);
    return true;
  } catch (error) {
    if (isGantryError(error)) return false;
    throw error;
  }
}

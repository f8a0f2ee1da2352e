import {
  type ItemTypes,
  createOpenPolicy,
  type Policy,
  type ConditionTrial,
  conditionsOfGrants,
  createRolePolicy,
  dependsOnUser,
  isSignedIn,
  type IsRefused,
  type PolicyUser,
  userScope,
  type Scope,
} from '@gantry/core-content';
import { onceFor } from '@gantry/core-common';
import type { Principal } from './ports/authenticator';
import type { Rights } from './ports/rights';

export interface Policies {
  /** Allows everything: for administrators and the platform itself. */
  readonly open: Policy;
  /** Made once for the same rights; where grants have conditions on the user, once for each of the users that asked last. */
  of(rights: Rights, user: PolicyUser): Policy;
  /**
   * To be asked before {@link of}: has PostgreSQL read the values in conditions, so that no item meets those that it refuses.
   * @returns undefined where nothing is to be read; rejects with GantryError UNAVAILABLE
   */
  prepare(rights: Rights, user: PolicyUser): Promise<void> | undefined;
  /** Whether PostgreSQL has refused the value of a condition. */
  readonly isRefused: IsRefused;
}

/** A platform of many types takes a few megabytes for each. */
const maxUsers = 100;

/** In which somebody reads and writes items. */
export function scopeOfPrincipal(policies: Policies, principal: Principal, requestId: string): Scope {
  return userScope(policies.of(principal.rights, principal), principal.id, requestId, principal.tokenId);
}

/** @param trial tries conditions of roles; without one, all of them are taken */
export function createPolicies(types: ItemTypes, trial?: ConditionTrial): Policies {
  const isRefused: IsRefused = (condition) => trial?.isRefused(condition) ?? false;
  const open = createOpenPolicy(types);
  const policiesOf = onceFor((rights: Rights) => {
    const isShared = !rights.grants.some(dependsOnUser);
    return { isShared, kept: new Map<string, Policy>(), tried: new Set<string>() };
  });
  const keyOf = (isShared: boolean, user: PolicyUser): string =>
    isShared ? String(isSignedIn(user)) : `${user.id} ${user.login}`;
  return {
    open,
    isRefused,
    prepare(rights, user) {
      if (trial === undefined || rights.isAdministrator) return undefined;
      const { isShared, kept, tried } = policiesOf(rights);
      const key = keyOf(isShared, user);
      if (tried.has(key)) return undefined;
      const conditions = conditionsOfGrants(types, rights.grants, user);
      if (conditions.length === 0) return undefined;
      return trial.run(conditions).then(() => {
        tried.add(key);
        kept.delete(key);
      });
    },
    of(rights, user) {
      if (rights.isAdministrator) return open;
      const { isShared, kept, tried } = policiesOf(rights);
      const key = keyOf(isShared, user);
      const policy = kept.get(key) ?? createRolePolicy(types, rights.grants, user, isRefused);
      kept.delete(key);
      kept.set(key, policy);
      const [oldest] = kept.size > maxUsers ? kept.keys() : [];
      if (oldest !== undefined) {
        kept.delete(oldest);
        tried.delete(oldest);
      }
      return policy;
    },
  };
}

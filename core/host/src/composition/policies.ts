import type { ItemTypes } from '../content/compile/item-types';
import { createOpenPolicy } from '../content/policy/open-policy';
import type { Policy } from '../content/policy/policy';
import { createRolePolicy } from '../content/policy/role-policy';
import { dependsOnUser, isSignedIn, type PolicyUser } from '../content/policy/row-filter';
import { onceFor } from '../common/once-for';
import type { Principal, Rights } from '../identity';
import { userScope, type Scope } from '../content/policy/scope';

export interface Policies {
  /** Allows everything: for administrators and the platform itself. */
  readonly open: Policy;
  /** Made once for the same rights; where grants have conditions on the user, once for each of the users that asked last. */
  of(rights: Rights, user: PolicyUser): Policy;
}

/** A platform of many types takes a few megabytes for each. */
const maxUsers = 100;

/** In which somebody reads and writes items. */
export function scopeOfPrincipal(policies: Policies, principal: Principal, requestId: string): Scope {
  return userScope(policies.of(principal.rights, principal), principal.id, requestId, principal.tokenId);
}

export function createPolicies(types: ItemTypes): Policies {
  const open = createOpenPolicy(types);
  const policiesOf = onceFor((rights: Rights) => {
    const isShared = !rights.grants.some(dependsOnUser);
    return { isShared, kept: new Map<string, Policy>() };
  });
  return {
    open,
    of(rights, user) {
      if (rights.isAdministrator) return open;
      const { isShared, kept } = policiesOf(rights);
      const key = isShared ? String(isSignedIn(user)) : `${user.id} ${user.login}`;
      const policy = kept.get(key) ?? createRolePolicy(types, rights.grants, user);
      kept.delete(key);
      kept.set(key, policy);
      const [oldest] = kept.size > maxUsers ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      return policy;
    },
  };
}

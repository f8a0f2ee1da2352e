import type { ItemTypes } from '../content/compile/item-types';
import { createOpenPolicy } from '../content/policy/open-policy';
import type { Policy } from '../content/policy/policy';
import { createRolePolicy } from '../content/policy/role-policy';
import { onceFor } from '../common/once-for';
import type { Rights } from '../identity';

export interface Policies {
  /** Allows everything: for administrators and the platform itself. */
  readonly open: Policy;
  /** Made once for the same rights. */
  of(rights: Rights): Policy;
}

export function createPolicies(types: ItemTypes): Policies {
  const open = createOpenPolicy(types);
  return {
    open,
    of: onceFor((rights: Rights) => (rights.isAdministrator ? open : createRolePolicy(types, rights.grants))),
  };
}

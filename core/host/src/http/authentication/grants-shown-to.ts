import type { IncomingMessage } from 'node:http';
import type { Grant, ShownGrant } from '@gantry/contracts';
import { shownGrants } from '../../content/policy/shown-grants';
import { principalOf } from '../exchange/principal';
import type { ScopeOf } from '../exchange/request-scope';

/** What somebody sees of the grants of roles. */
export type GrantsShownTo = (request: IncomingMessage) => (grants: readonly Grant[]) => readonly ShownGrant[];

/** Administrators see all of them, also those on types whose plugins are not in use; others what they can read. */
export function createGrantsShownTo(scopeOf: ScopeOf): GrantsShownTo {
  return (request) => {
    if (principalOf(request).rights.isAdministrator) return (grants) => grants;
    const { policy } = scopeOf(request);
    return (grants) => shownGrants(grants, policy);
  };
}

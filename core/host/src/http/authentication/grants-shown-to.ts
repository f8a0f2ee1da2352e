import type { IncomingMessage } from 'node:http';
import type { Grant, ShownGrant } from '@gantry/contracts';
import type { Policy } from '../../content/policy/policy';
import { shownGrants } from '../../content/policy/shown-grants';
import type { Principal } from '../../identity';
import { principalOf } from '../exchange/principal';
import type { ScopeOf } from '../exchange/request-scope';

/** What somebody sees of the grants of roles. */
export type GrantsShownTo = (request: IncomingMessage) => (grants: readonly Grant[]) => readonly ShownGrant[];

export function createGrantsShownTo(scopeOf: ScopeOf): GrantsShownTo {
  return (request) => grantsShownTo(principalOf(request), () => scopeOf(request).policy);
}

/** Administrators see all of them, also those on types whose plugins are not in use; others what they can read. */
export function grantsShownTo(
  { rights }: Principal,
  policyOf: () => Policy,
): (grants: readonly Grant[]) => readonly ShownGrant[] {
  if (rights.isAdministrator) return (grants) => grants;
  const policy = policyOf();
  return (grants) => shownGrants(grants, policy);
}

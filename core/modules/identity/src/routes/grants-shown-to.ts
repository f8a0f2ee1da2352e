import type { Grant, ShownGrant } from '@gantry/contracts';
import type { Policy } from '@gantry/core-content';
import type { Principal } from '@gantry/core-http';
import { shownGrants } from './shown-grants';

/** Grants of roles as a user sees them. */
export type ShowGrants = (grants: readonly Grant[]) => readonly ShownGrant[];

/** Administrators see all of them, also those on types whose plugins are not in use; others what they can read. */
export function grantsShownTo({ rights }: Principal, policyOf: () => Policy): ShowGrants {
  if (rights.isAdministrator) return (grants) => grants;
  const policy = policyOf();
  return (grants) => shownGrants(grants, policy);
}

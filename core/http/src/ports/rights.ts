import type { Grant } from '@gantry/contracts';

/** The rights of a caller: all that the roles of the caller allow. One object for each set of roles, until a role changes. */
export interface Rights {
  /** Roles of the caller that exist. */
  readonly roles: readonly string[];
  readonly isAdministrator: boolean;
  readonly grants: readonly Grant[];
  /** Names; of an administrator, those that are declared. */
  readonly permissions: readonly string[];
  may(permission: string): boolean;
}

/** For commands about users, roles and tokens, which must not load all of the host to do so. */
export { createStderrLogger } from './common/logger';
export { openIdentity } from './composition/open-identity';
export {
  changeUser,
  createApiToken,
  endAccess,
  importRoles,
  parseRolesFile,
  revokeApiToken,
  toRolesFile,
} from '@gantry/core-identity/commands';
export type {
  AccountChange,
  ApiToken,
  EndedAccess,
  Identity,
  NewApiToken,
  NewRole,
  RemainingAccess,
} from '@gantry/core-identity/commands';
export type { ChangeAuthor } from '@gantry/core-http/ports';

/** For commands about users, roles and tokens, which must not load all of the host to do so. */
export { createStderrLogger } from './common/logger';
export { openIdentity } from './composition/open-identity';
export { changeUser } from './identity/change-users';
export { createApiToken, revokeApiToken } from './identity/change-api-tokens';
export { importRoles } from './identity/import-roles';
export { parseRolesFile, toRolesFile } from './identity/roles/roles-file';
export { endAccess } from './identity/remaining-access';
export type { EndedAccess, RemainingAccess } from './identity/remaining-access';
export type { AccountChange } from './identity/change-accounts';
export type { ApiToken, NewApiToken } from './identity/account-schemas';
export type { ChangeAuthor } from './http/ports/audit-sink';
export type { Identity } from './identity/create-identity';
export type { NewRole } from './identity/roles/roles';

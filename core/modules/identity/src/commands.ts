/** For commands on the database, which serve nothing. */
export type { ApiToken, NewApiToken } from './accounts/account-schemas';
export type { AccountChange } from './accounts/change-accounts';
export { createApiToken, revokeApiToken } from './tokens/change-api-tokens';
export { changeUser } from './accounts/change-users';
export { createIdentity } from './create-identity';
export type { Identity } from './create-identity';
export { importRoles } from './roles/import-roles';
export { endAccess } from './accounts/remaining-access';
export type { EndedAccess, RemainingAccess } from './accounts/remaining-access';
export { parseRolesFile, toRolesFile } from './roles/roles-file';
export type { NewRole } from './roles/roles';
export { identitySchema } from './tables';

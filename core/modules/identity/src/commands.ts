/** For commands on the database, which serve nothing. */
export type { ApiToken, NewApiToken } from './account-schemas';
export type { AccountChange } from './change-accounts';
export { createApiToken, revokeApiToken } from './change-api-tokens';
export { changeUser } from './change-users';
export { createIdentity } from './create-identity';
export type { Identity } from './create-identity';
export { importRoles } from './import-roles';
export { endAccess } from './remaining-access';
export type { EndedAccess, RemainingAccess } from './remaining-access';
export { parseRolesFile, toRolesFile } from './roles/roles-file';
export type { NewRole } from './roles/roles';
export { identitySchema } from './tables';

/** For commands about users, roles and tokens, which must not load all of the host to do so. */
export { createStderrLogger } from './common/logger';
export { openIdentity } from './composition/open-identity';
export { changeUser, createApiToken, importRoles, parseRolesFile, revokeApiToken, toRolesFile } from './identity';
export { endAccess } from './subscriptions/remaining-access';
export type { EndedAccess, RemainingAccess } from './subscriptions/remaining-access';
export type { AccountChange, ApiToken, ChangeAuthor, Identity, NewApiToken, NewRole } from './identity';

/** For commands about users, roles and tokens, which must not load all of the host to do so. */
export { createStderrLogger } from './common/logger';
export { openIdentity } from './composition/open-identity';
export { createApiToken, importRoles, parseRolesFile, revokeApiToken, toRolesFile } from './identity';
export type { AccountChange, ApiToken, ChangeAuthor, Identity, NewApiToken } from './identity';

export {
  addedPasskey,
  apiToken,
  createdToken,
  createdUser,
  newTokenInput,
  openedSession,
  passkey,
  passkeyName,
  session,
  sessionState,
  user,
} from './account-schemas';
export type { ApiToken, NewApiToken, OpenedSession, SessionState, User } from './account-schemas';
export type { AuditEvent } from './audit';
export { createApiToken, endApiTokens, revokeApiToken } from './change-api-tokens';
export type { AccountChange } from './change-accounts';
export { readCreated } from './created-for-others';
export { changeUser } from './change-users';
export { createIdentity } from './create-identity';
export type { Identity } from './create-identity';
export { importRoles } from './import-roles';
export { createLocalToken } from './local-token';
export { assertionInput, registrationInput } from './second-factors/passkey-input';
export type { Assertion } from './second-factors/passkey-input';
export type { ChallengePurpose } from './second-factors/passkey-challenges';
export { passkeySiteOf } from './second-factors/passkey-site';
export type { PasskeySite } from './second-factors/passkey-site';
export type { Reseal } from './rotate-key';
export { isSameText } from './secrets';
export type { Oidc, ProviderVisit } from './oidc/oidc';
export type { OidcClient, OidcSettings } from './oidc/oidc-settings';
export type { ProviderClaims } from './oidc/provider';
export { SignInRefusal } from './oidc/sign-in-refusal';
export { roleName } from './role-name';
export type { LinkOwner, SignedIn } from './sign-in';
export { identitySchema } from './tables';
export { createRights } from './roles/rights';
export { builtInRoles } from './roles/built-in-roles';
export { permission, role, shownGrant } from './roles/role-schemas';
export { distinctRoles, parseRolesFile, rolesFile, toRolesFile } from './roles/roles-file';
export { newRoleOf, roleInput } from './roles/role-input';
export { rightsViewedAs } from './roles/roles';
export type { NewRole, Roles } from './roles/roles';
export { administrator, newUserInput, publicRole, userChangeInput } from './user-input';
export type { NewUser, OneTimeLink, UserChange } from './users';
export { readUserNames } from './user-names';

export { addressKey } from './address-key';
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
export type { AuditEntry, AuditEvent } from './audit';
export type { Principal } from './authenticator';
export { createApiToken, endApiTokens, revokeApiToken } from './change-api-tokens';
export type { AccountChange, ChangeAuthor } from './change-accounts';
export { readCreated } from './created-for-others';
export { changeUser } from './change-users';
export { callerOf, principalOfCaller } from './callers';
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
export { createSecretBox, reseal } from './secret-key';
export type { SecretBox } from './secret-key';
export { isSameText } from './secrets';
export type { Oidc, ProviderVisit } from './oidc/oidc';
export type { OidcClient, OidcSettings } from './oidc/oidc-settings';
export type { ProviderClaims } from './oidc/provider';
export { SignInRefusal } from './oidc/sign-in-refusal';
export { PresenceRequired } from './presence';
export { roleName } from './role-name';
export { lineOfText } from './line-of-text';
export type { LinkOwner, SignedIn } from './sign-in';
export { identitySchema } from './tables';
export { createRights } from './roles/rights';
export type { Rights } from './roles/rights';
export { builtInRoles } from './roles/built-in-roles';
export { permission, role, shownGrant } from './roles/role-schemas';
export { distinctRoles, parseRolesFile, rolesFile, toRolesFile } from './roles/roles-file';
export { newRoleOf, roleInput } from './roles/role-input';
export { rightsViewedAs } from './roles/roles';
export type { NewRole, Roles } from './roles/roles';
export { storedText } from './stored-text';
export { administrator, newUserInput, publicRole, userChangeInput } from './user-input';
export type { NewUser, OneTimeLink, UserChange } from './users';
export { readUserNames } from './user-names';

import { queryOptions } from '@tanstack/react-query';
import type { PlatformAnswer, PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import { callPlatform } from '../api/platform/call-platform';
import { presencePath } from '../api/platform/presence';

export type User = PlatformSchema<'User'>;
export type NewUser = PlatformRequest<'POST', '/api/platform/users'>['body'];
/** Access that remains after a password was reset or a user was deleted. */
export type RemainingAccess = PlatformSchema<'RemainingAccess'>;

/** The person to whom a session belongs. */
export type SignedInUser = PlatformAnswer<'POST', '/api/platform/session'>['data']['user'];

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/users', {}, signal)).data,
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/account/sessions', {}, signal)).data,
});

/** Whether the account of the reader has a password. */
export const passwordQuery = queryOptions({
  queryKey: ['account', 'password'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/account/password', {}, signal)).data,
});

export const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/account/tokens', {}, signal)).data,
});

export async function readSession() {
  return (await callPlatform('GET', '/api/platform/session', {})).data;
}

/** Address that leads to the identity provider, and afterwards to a path of the pages. */
export function providerAddress(returnTo: string): string {
  return `/api/platform/oidc/start?returnTo=${encodeURIComponent(returnTo)}`;
}

/** A proof of the second factor, where the platform asks for it. */
export type FactorProof = { readonly code: string } | { readonly passkey: NonNullable<ProofBody['passkey']> };

type ProofBody = NonNullable<PlatformRequest<'POST', '/api/platform/account/presence'>['body']>;

export async function signIn(login: string, password: string, proof?: FactorProof): Promise<SignedInUser> {
  const body = { login, password, ...proof };
  return (await callPlatform('POST', '/api/platform/session', { body })).data.user;
}

/** Leaves nothing of the application in the browser: the next page is the one to sign in. */
export async function signOut(): Promise<void> {
  await callPlatform('DELETE', '/api/platform/session', {});
  location.assign('/admin/');
}

export async function setPassword(secret: string, password: string, proof?: FactorProof): Promise<RemainingAccess> {
  const body = { secret, password, ...proof };
  return (await callPlatform('POST', '/api/platform/one-time-links', { body })).data.remaining;
}

/** Of the reader. */
export async function endAccess({ tokens, webhooks }: RemainingAccess): Promise<void> {
  for (const { id } of tokens) await revokeToken(id);
  for (const { id } of webhooks) await callPlatform('DELETE', '/api/platform/webhooks/{id}', { path: { id } });
}

/** A proof that the reader is present. */
export type PresenceProofBody = FactorProof | { readonly password: string };

/** @throws ApiError; without a proof, with what the account can prove it by */
export async function provePresence(proof: PresenceProofBody | Record<string, never>): Promise<undefined> {
  await callPlatform('POST', presencePath, { body: proof });
}

export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await callPlatform('PUT', '/api/platform/account/password', { body: { currentPassword, newPassword } });
}

export type TotpSetup = PlatformSchema<'TotpSetup'>;

const totpPath = '/api/platform/account/totp';

export const totpQuery = queryOptions({
  queryKey: ['account', 'totp'],
  queryFn: async ({ signal }) => (await callPlatform('GET', totpPath, {}, signal)).data,
});

export async function beginTotp(currentPassword: string): Promise<TotpSetup> {
  return (await callPlatform('POST', totpPath, { body: { currentPassword } })).data;
}

/** @returns the recovery codes, which the platform shows once, of the first second factor; else none */
export async function confirmTotp(code: string): Promise<readonly string[]> {
  return (await callPlatform('PUT', totpPath, { body: { code } })).data.recoveryCodes;
}

export async function removeTotp(currentPassword: string): Promise<void> {
  await callPlatform('DELETE', totpPath, { body: { currentPassword } });
}

export async function endSession(id: string): Promise<void> {
  await callPlatform('DELETE', '/api/platform/account/sessions/{id}', { path: { id } });
}

export type NewToken = PlatformRequest<'POST', '/api/platform/account/tokens'>['body'];

/** The roles of the reader. */
export const ownRolesQuery = queryOptions({
  queryKey: ['account', 'roles'],
  queryFn: async ({ signal }) => {
    const { data } = await callPlatform('GET', '/api/platform/session', {}, signal);
    return data.user?.roles ?? [];
  },
});

/** @returns the token, which the platform shows once */
export async function createToken(body: NewToken): Promise<string> {
  return (await callPlatform('POST', '/api/platform/account/tokens', { body })).data.token;
}

export async function revokeToken(id: string): Promise<void> {
  await callPlatform('DELETE', '/api/platform/account/tokens/{id}', { path: { id } });
}

/** @returns the link with which a person sets a password; undefined for a service account */
export async function createUser(body: NewUser): Promise<string | undefined> {
  return (await callPlatform('POST', '/api/platform/users', { body })).data.link;
}

/** @returns a link with which the person sets another password, and what works on with it */
export async function resetPassword(id: string, body: PasswordReset) {
  return (await callPlatform('POST', '/api/platform/users/{id}/one-time-link', { path: { id }, body })).data;
}

type PasswordReset = NonNullable<PlatformRequest<'POST', '/api/platform/users/{id}/one-time-link'>['body']>;

export async function updateUser(id: string, body: Partial<Pick<User, 'isEnabled' | 'roles'>>): Promise<void> {
  await callPlatform('PATCH', '/api/platform/users/{id}', { path: { id }, body });
}

export async function readRemaining(id: string, signal: AbortSignal): Promise<RemainingAccess> {
  return (await callPlatform('GET', '/api/platform/users/{id}/remaining', { path: { id } }, signal)).data;
}

export async function deleteUser(id: string, deleteWebhooks: boolean): Promise<void> {
  await callPlatform('DELETE', '/api/platform/users/{id}', { path: { id }, query: { deleteWebhooks } });
}

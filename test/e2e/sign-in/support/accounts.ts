import { Secret, TOTP } from 'otpauth';
import { parseConfig } from '@gantry/host/config';
import { createStderrLogger, openIdentity } from '@gantry/host/open-identity';
import { eventually } from '../../../support/eventually';
import { send, sendJson, type Answer } from '../../../support/rest-client';

export const password = 'correct horse battery staple';

/** Creates users as `gantry users create` does, on the database. @returns the one-time secret of each */
export async function createUsers(databaseUrl: string, logins: readonly string[]): Promise<readonly string[]> {
  const { identity, close } = await openIdentity(
    parseConfig({ DATABASE_URL: databaseUrl }),
    createStderrLogger('silent'),
  );
  try {
    const secrets: string[] = [];
    for (const login of logins) {
      const wanted = { login, displayName: login, kind: 'person', roles: ['administrator'] } as const;
      const { id } = (await identity.users.findByLogin(login)) ?? (await identity.users.create(wanted));
      secrets.push((await identity.users.createLink(id)).secret);
    }
    return secrets;
  } finally {
    await close();
  }
}

/** Sets the password by the one-time secret. @returns the session cookie */
export async function useLink(address: string, secret: string): Promise<string> {
  return cookieOf(await sendJson(address, 'POST', '/api/platform/one-time-links', { secret, password }));
}

export function signIn(
  address: string,
  login: unknown,
  withPassword: unknown = password,
  headers = {},
): Promise<Answer> {
  return sendJson(address, 'POST', '/api/platform/session', { login, password: withPassword }, headers);
}

/** The session cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ status, headers, text }: Answer): string {
  const cookie = (headers['set-cookie'] ?? []).find((one) => /^(__Host-)?gantry(-[A-Za-z0-9]{1,8})?=/.test(one));
  if (cookie === undefined) throw new Error(`No session cookie in the answer: ${status} ${text}`);
  return cookie.split(';')[0] ?? '';
}

/** Headers that a signed-in browser sends with a write. */
export function fromPage(address: string, cookie: string): Readonly<Record<string, string>> {
  return { cookie, origin: address };
}

/** A request of a signed-in browser. */
export function sendAs(
  address: string,
  session: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers = fromPage(address, session);
  return body === undefined ? send(address, path, { method, headers }) : sendJson(address, method, path, body, headers);
}

/** @param administrator session of who creates the person. @returns the session cookie of the person */
export async function createPerson(
  address: string,
  administrator: string,
  login: string,
  roles: readonly string[],
): Promise<string> {
  const { json } = await sendAs(address, administrator, 'POST', '/api/platform/users', {
    kind: 'person',
    login,
    roles,
  });
  if (json.error !== undefined) throw new Error(json.error.message);
  return useLink(address, (json.data.link as string).split('#')[1] ?? '');
}

/** Resolves when requests need a credential: every process notices it by itself. */
export async function untilSignInIsRequired(address: string): Promise<void> {
  const isRequired = async (): Promise<boolean> => (await send(address, '/api/cms/items/types')).status === 401;
  await eventually(isRequired, 'sign-in is required');
}

/** Sets up an authenticator app for the account of a session. */
export async function setUpTotp(
  address: string,
  cookie: string,
  currentPassword: string,
): Promise<{ readonly app: TOTP; readonly recoveryCodes: readonly string[] }> {
  const path = '/api/platform/account/totp';
  const begun = await sendJson(address, 'POST', path, { currentPassword }, fromPage(address, cookie));
  const app = new TOTP({ secret: Secret.fromBase32(begun.json.data.secret as string) });
  const confirmed = await sendJson(address, 'PUT', path, { code: app.generate() }, fromPage(address, cookie));
  return { app, recoveryCodes: confirmed.json.data.recoveryCodes as readonly string[] };
}

import type { AccountChange } from '../../accounts/change-accounts';
import type { ChangeAuthor, Client } from '@gantry/core-http';
import type { SignedIn } from '../../sign-in/sign-in';
import { cookieText, readCookie, type SessionCookies } from './session-cookie';

export interface SessionSettings {
  readonly cookies: SessionCookies;
  /** Seconds after which a session ends in any case. */
  readonly maxSeconds: number;
}

/** The values of the cookies of a browser that has signed in. */
export interface SessionSecrets {
  readonly secret: string;
  readonly device: string;
}

const deviceSeconds = 180 * 24 * 3_600;

/** A person who opens a session, whose proof was compared already. */
export function sessionAuthor({ address }: Pick<Client, 'address'>, userId: string): ChangeAuthor {
  return { actor: `user:${userId}`, address };
}

/** Always a new session: one that somebody else may have planted in the browser is never used. */
export async function openSession(
  cookies: SessionCookies,
  client: Client,
  { sessions, signIn }: Pick<AccountChange, 'sessions' | 'signIn'>,
  person: SignedIn,
): Promise<SessionSecrets> {
  const origin = { address: client.address, userAgent: client.headers['user-agent'] ?? '' };
  const secret = await sessions.open(person, origin, readCookie(client, cookies.session));
  const device = await signIn.rememberDevice(person.userId, readCookie(client, cookies.device));
  return { secret, device };
}

/** The headers for a browser that has signed in. */
export function sessionHeaders(
  { cookies, maxSeconds }: SessionSettings,
  { secret, device }: SessionSecrets,
): { readonly 'Set-Cookie': readonly string[] } {
  const { isSecure } = cookies;
  return {
    'Set-Cookie': [
      cookieText({ name: cookies.session, value: secret, maxAgeSeconds: maxSeconds, isSecure }),
      cookieText({ name: cookies.device, value: device, maxAgeSeconds: deviceSeconds, isSecure }),
    ],
  };
}

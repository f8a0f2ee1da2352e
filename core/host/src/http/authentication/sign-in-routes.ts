import type { IncomingMessage, ServerResponse } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import type { Identity, Principal, SignedIn } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertSignInMode } from './assert-sign-in-mode';
import { addressKey, createAttemptLimit, type AttemptLimit } from './attempt-limit';
import { clientAddress } from '../exchange/client-address';
import { findPrincipal } from '../exchange/principal';
import { lineOfText } from './line-of-text';
import { readCookie, setCookie, type SessionCookies } from './session-cookie';

export interface SignInRouteDependencies {
  readonly identity: Identity;
  readonly cookies: SessionCookies;
  /** Seconds after which a session ends in any case. */
  readonly maxSeconds: number;
  readonly readJson: ReadJson;
}

const minuteMs = 60_000;
const deviceSeconds = 180 * 24 * 3_600;

/** Of an authenticator app, or a recovery code. */
const codeText = z.string().min(1).max(50);
const signInBody = z.strictObject({
  login: lineOfText('login', 254),
  password: z.string().min(1).max(1_024),
  code: codeText.optional(),
});
const linkBody = z.strictObject({
  secret: z.string().min(1).max(100),
  password: z.string().max(1_024),
  code: codeText.optional(),
});

/** Signing in and out, in a browser. */
export function signInRoutes(dependencies: SignInRouteDependencies): Routes {
  const limits: Limits = {
    address: createAttemptLimit(20, 5 * minuteMs),
    account: createAttemptLimit(10, 15 * minuteMs),
    device: createAttemptLimit(10, 15 * minuteMs),
  };
  return (app) => {
    addPath(app, '/api/platform/session', sessionPath(dependencies, limits));
    addPath(app, '/api/platform/one-time-links', linkPath(dependencies, limits));
  };
}

type Limits = Readonly<Record<'address' | 'account' | 'device', AttemptLimit>>;

function sessionPath(dependencies: SignInRouteDependencies, limits: Limits): PathHandlers<object> {
  const { identity, readJson } = dependencies;
  return {
    get(request, response) {
      parseQuery(request, []);
      sendSession(response, identity, findPrincipal(request));
    },
    async post(request, response) {
      parseQuery(request, []);
      assertSignInMode(identity);
      const { login, password, code: given } = parseBody(signInBody, await readJson(request, response));
      const attempts = await attemptsOf(dependencies, limits, request, login);
      for (const [limit, key] of attempts) await limit.begin(key);
      const found = await identity.signIn.withPassword(login, password);
      if (found === undefined) {
        await recordRefusal(identity, request, { action: 'sign-in-refused', actor: login.toLowerCase() });
        throw new GantryError('UNAUTHENTICATED', 'The email address or the password is wrong.');
      }
      const succeed = () => Promise.all(attempts.map(([limit, key]) => limit.succeed(key)));
      // A client that is asked for the code knows the password.
      if (given === undefined) await succeed();
      await assertSecondFactor(identity, request, found, given);
      if (given !== undefined) await succeed();
      await openSession(dependencies, request, response, { ...found, action: 'sign-in' });
    },
    async delete(request, response) {
      parseQuery(request, []);
      await readJson(request, response);
      await signOut(dependencies, request, response);
    },
  };
}

function linkPath(dependencies: SignInRouteDependencies, limits: Limits): PathHandlers<object> {
  const { identity, readJson } = dependencies;
  return {
    async post(request, response) {
      parseQuery(request, []);
      assertSignInMode(identity);
      const { secret, password, code: given } = parseBody(linkBody, await readJson(request, response));
      await limits.address.begin(addressKey(clientAddress(request)));
      const owner = await identity.signIn.findLink(secret);
      if (owner !== undefined) await assertSecondFactor(identity, request, owner, given);
      const found = await identity.signIn.withLink(secret, password);
      if (found === undefined) {
        await recordRefusal(identity, request, { action: 'link-refused', actor: 'anonymous' });
        throw new GantryError(
          'UNAUTHENTICATED',
          'The link is not valid: it was used, or is older than 15 minutes. Ask an administrator for another one.',
        );
      }
      identity.authenticator.forget();
      await openSession(dependencies, request, response, { ...found, action: 'password-set' });
    },
  };
}

/** Asked after the password: nothing is said about the second factor of an account to one who does not know its password. */
async function assertSecondFactor(
  identity: Identity,
  request: IncomingMessage,
  { userId, login }: SignedIn,
  code: string | undefined,
): Promise<void> {
  if (!(await identity.totp.isRequired(userId))) return;
  if (code === undefined) {
    throw new GantryError(
      'SECOND_FACTOR_REQUIRED',
      'Enter the code that the authenticator app shows, or a recovery code.',
    );
  }
  if (await identity.totp.accept(userId, code)) return;
  await recordRefusal(identity, request, { action: 'second-factor-refused', actor: login });
  throw new GantryError(
    'SECOND_FACTOR_REQUIRED',
    'The code is wrong or was used before. Enter the one that the authenticator app shows now.',
  );
}

/** Keys are the address of the client, and the account unless the browser has signed in to it before. */
async function attemptsOf(
  { identity, cookies }: SignInRouteDependencies,
  limits: Limits,
  request: IncomingMessage,
  login: string,
): Promise<readonly (readonly [AttemptLimit, string])[]> {
  const address = [limits.address, addressKey(clientAddress(request))] as const;
  const device = readCookie(request, cookies.device);
  const isKnown = device !== undefined && (await identity.signIn.isKnownDevice(login, device));
  return [address, isKnown ? [limits.device, device] : [limits.account, login.toLowerCase()]];
}

async function recordRefusal(
  { audit }: Identity,
  request: IncomingMessage,
  entry: { readonly action: string; readonly actor: string },
): Promise<void> {
  await audit.recordRefusal({ ...entry, subject: '', address: clientAddress(request) });
}

interface Opening {
  readonly userId: string;
  readonly action: string;
}

/** Always a new session: one that somebody else may have planted in the browser is never used. */
async function openSession(
  { identity, cookies, maxSeconds }: SignInRouteDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  { userId, action }: Opening,
): Promise<void> {
  const origin = { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
  const previous = readCookie(request, cookies.session);
  const secret = await identity.sessions.open(userId, origin, previous);
  const device = await identity.signIn.rememberDevice(userId);
  if (previous !== undefined) identity.authenticator.forget();
  const { isSecure } = cookies;
  setCookie(response, { name: cookies.session, value: secret, maxAgeSeconds: maxSeconds, isSecure });
  setCookie(response, { name: cookies.device, value: device, maxAgeSeconds: deviceSeconds, isSecure });
  await identity.audit.record({ actor: `user:${userId}`, action, subject: `user:${userId}`, address: origin.address });
  sendSession(response, identity, await identity.authenticator.session(secret));
}

async function signOut(
  { identity, cookies }: SignInRouteDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const secret = readCookie(request, cookies.session);
  const principal = findPrincipal(request);
  if (secret !== undefined && principal?.sessionId !== undefined) {
    await identity.sessions.close(secret);
    identity.authenticator.forget();
    const actor = `user:${principal.id}`;
    await identity.audit.record({ actor, action: 'sign-out', subject: actor, address: clientAddress(request) });
  }
  setCookie(response, { name: cookies.session, value: '', maxAgeSeconds: 0, isSecure: cookies.isSecure });
  response.writeHead(204).end();
}

function sendSession(response: ServerResponse, identity: Identity, principal: Principal | undefined): void {
  const user = principal === undefined ? null : presentPrincipal(principal);
  const mode = identity.isSignInRequired() ? 'sign-in' : 'open';
  sendData(response, 200, JSON.stringify({ mode, user }));
}

function presentPrincipal({ kind, id, name, roles }: Principal): object {
  return { kind, id, name, roles };
}

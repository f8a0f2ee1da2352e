import type { IncomingMessage, ServerResponse } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import {
  lineOfText,
  type AccountChange,
  type ChangeAuthor,
  type Identity,
  type PasskeySite,
  type Principal,
  type SignedIn,
} from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertSignInMode } from './assert-sign-in-mode';
import { countingProofs, createAttemptLimit, takeBack, type AttemptLimit, type CountedAttempt } from './attempt-limit';
import { clientAddress, clientKey } from '../exchange/client-address';
import { findPrincipal } from '../exchange/principal';
import { recordAnonymousRefusal } from '../exchange/record-action';
import { endAccess, endedAccess, type RemainingAccess } from '../../subscriptions';
import { assertSecondFactor, givenFactor, secondFactorInput } from './second-factor';
import { readCookie, setCookie, type SessionCookies } from './session-cookie';

export interface SignInRouteDependencies {
  readonly identity: Identity;
  readonly cookies: SessionCookies;
  /** Seconds after which a session ends in any case. */
  readonly maxSeconds: number;
  readonly readJson: ReadJson;
  /** Undefined where passkeys are not offered. */
  readonly passkeySite: PasskeySite | undefined;
}

const minuteMs = 60_000;
const deviceSeconds = 180 * 24 * 3_600;

const signInBody = z.strictObject({
  login: lineOfText('login', 254),
  password: z.string().min(1).max(1_024),
  ...secondFactorInput,
});
const linkBody = z.strictObject({
  secret: z.string().min(1).max(100),
  password: z.string().max(1_024),
  ...secondFactorInput,
  ...endedAccess,
});

/** Signing in and out, in a browser. */
export function signInRoutes(dependencies: SignInRouteDependencies): Routes {
  const limits: Limits = {
    address: createAttemptLimit(20, 5 * minuteMs),
    account: createAttemptLimit(10, 15 * minuteMs),
    device: createAttemptLimit(10, 15 * minuteMs),
    link: createAttemptLimit(5, 15 * minuteMs),
  };
  return (app) => {
    addPath(app, '/api/platform/session', sessionPath(dependencies, limits));
    addPath(app, '/api/platform/one-time-links', linkPath(dependencies, limits));
  };
}

type Limits = Readonly<Record<'address' | 'account' | 'device' | 'link', AttemptLimit>>;

function sessionPath(dependencies: SignInRouteDependencies, limits: Limits): PathHandlers<object> {
  const { identity, readJson } = dependencies;
  return {
    async get(request, response) {
      parseQuery(request, []);
      await sendSession(response, identity, findPrincipal(request));
    },
    async post(request, response) {
      parseQuery(request, []);
      assertSignInMode(identity);
      const { login, password, ...proofs } = parseBody(signInBody, await readJson(request, response));
      const given = givenFactor(proofs);
      const attempts = await attemptsOf(dependencies, limits, request, login);
      for (const [limit, key] of attempts) await limit.begin(key, () => recordLimit(identity, request));
      const found = await countingProofs(attempts, () => identity.signIn.withPassword(login, password));
      if (found === undefined) {
        await recordAnonymousRefusal(identity, request, 'sign-in-refused', login);
        throw new GantryError('UNAUTHENTICATED', 'The email address or the password is wrong.');
      }
      // A client that is asked for a second factor knows the password.
      if (given === undefined) await takeBack(attempts);
      await assertSecondFactor(dependencies, request, { owner: found, purpose: 'sign-in', given });
      if (given !== undefined) await takeBack(attempts);
      const opened = await identity.recording(sessionAuthor(request, found.userId), (change) =>
        openSession(dependencies, request, change, { person: found, action: 'sign-in' }),
      );
      await sendOpened(dependencies, request, response, opened);
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
      const { secret, password, revokeTokens, deleteWebhooks, ...proofs } = parseBody(
        linkBody,
        await readJson(request, response),
      );
      const given = givenFactor(proofs);
      const address = clientKey(request);
      const onReached = (): Promise<void> => recordLimit(identity, request);
      await limits.address.begin(address, onReached);
      const owner = await identity.signIn.findLink(secret);
      if (owner === undefined) throw await refuseLink(identity, request);
      // The finder of a link must not guess the code.
      await limits.link.begin(owner.userId, onReached);
      // A question is no guess; each try with a passkey begins with one.
      if (given === undefined) await limits.link.succeed(owner.userId);
      const ofAddress: CountedAttempt = [limits.address, address];
      const counted: readonly CountedAttempt[] =
        given === undefined ? [ofAddress] : [ofAddress, [limits.link, owner.userId]];
      // Before the code, which can be used once.
      await identity.signIn.assertAcceptable(password);
      await assertSecondFactor(dependencies, request, { owner, purpose: 'one-time-link', given });
      const hash = await countingProofs(counted, () => identity.signIn.hashPassword(password));
      const opened = await identity.change(sessionAuthor(request, owner.userId), async (change) => {
        const person = await change.signIn.withLink(secret, hash);
        if (person === undefined) return undefined;
        const session = await openSession(dependencies, request, change, { person, action: 'password-set' });
        const user = { id: person.userId, login: person.login };
        return { session, remaining: await endAccess(change, user, { revokeTokens, deleteWebhooks }) };
      });
      if (opened === undefined) throw await refuseLink(identity, request);
      await takeBack(counted);
      await sendOpened(dependencies, request, response, opened.session, opened.remaining);
    },
  };
}

async function refuseLink(identity: Identity, request: IncomingMessage): Promise<GantryError> {
  await recordAnonymousRefusal(identity, request, 'link-refused');
  return new GantryError(
    'UNAUTHENTICATED',
    'The link is not valid: it was used, or is older than 15 minutes. Ask an administrator for another one.',
  );
}

/**
 * Keys are the address of the client and the account. A browser that has signed in to the account before counts apart, so that
 * others cannot lock it out: neither by attempts on the account nor behind the same address.
 */
async function attemptsOf(
  { identity, cookies }: SignInRouteDependencies,
  limits: Limits,
  request: IncomingMessage,
  login: string,
): Promise<readonly CountedAttempt[]> {
  const account = login.toLowerCase();
  const device = readCookie(request, cookies.device);
  const isKnown = device !== undefined && (await identity.signIn.isKnownDevice(account, device));
  if (isKnown) return [[limits.device, account]];
  return [
    [limits.address, clientKey(request)],
    [limits.account, account],
  ];
}

/** Once for each time that a limit is reached. */
async function recordLimit(identity: Identity, request: IncomingMessage): Promise<void> {
  await recordAnonymousRefusal(identity, request, 'attempts-limited');
}

interface Opening {
  readonly person: SignedIn;
  readonly action: string;
}

/** What the cookies of a browser get that has signed in. */
export interface OpenedSession {
  readonly secret: string;
  readonly device: string;
}

/** A person who opens a session, whose proof was compared already. */
export function sessionAuthor(request: IncomingMessage, userId: string): ChangeAuthor {
  return { actor: `user:${userId}`, address: clientAddress(request) };
}

/** Always a new session: one that somebody else may have planted in the browser is never used. */
export async function openSession(
  { cookies }: Pick<SignInRouteDependencies, 'cookies'>,
  request: IncomingMessage,
  { sessions, signIn, record }: Pick<AccountChange, 'sessions' | 'signIn' | 'record'>,
  { person, action }: Opening,
): Promise<OpenedSession> {
  const subject = `user:${person.userId}`;
  const origin = { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
  const secret = await sessions.open(person, origin, readCookie(request, cookies.session));
  const device = await signIn.rememberDevice(person.userId, readCookie(request, cookies.device));
  await record({ actor: subject, action, subject });
  return { secret, device };
}

export function setSessionCookies(
  { cookies, maxSeconds }: Pick<SignInRouteDependencies, 'cookies' | 'maxSeconds'>,
  response: ServerResponse,
  { secret, device }: OpenedSession,
): void {
  const { isSecure } = cookies;
  setCookie(response, { name: cookies.session, value: secret, maxAgeSeconds: maxSeconds, isSecure });
  setCookie(response, { name: cookies.device, value: device, maxAgeSeconds: deviceSeconds, isSecure });
}

async function sendOpened(
  dependencies: SignInRouteDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  opened: OpenedSession,
  remaining?: RemainingAccess,
): Promise<void> {
  const { identity, cookies } = dependencies;
  // The session that the browser had has ended.
  if (readCookie(request, cookies.session) !== undefined) identity.authenticator.forget();
  setSessionCookies(dependencies, response, opened);
  await sendSession(response, identity, await identity.authenticator.session(opened.secret), { remaining });
}

async function signOut(
  { identity, cookies }: SignInRouteDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const secret = readCookie(request, cookies.session);
  const principal = findPrincipal(request);
  if (secret !== undefined && principal?.sessionId !== undefined) {
    await identity.recording(sessionAuthor(request, principal.id), async ({ sessions, record }) => {
      await sessions.close(secret);
      await record({ action: 'sign-out', subject: `user:${principal.id}` });
    });
    identity.authenticator.forget();
  }
  const { isSecure } = cookies;
  for (const name of [cookies.session, cookies.viewAs]) {
    setCookie(response, { name, value: '', maxAgeSeconds: 0, isSecure });
  }
  response.writeHead(204).end();
}

async function sendSession(
  response: ServerResponse,
  identity: Identity,
  principal: Principal | undefined,
  more: { readonly remaining?: RemainingAccess | undefined } = {},
): Promise<void> {
  const user = principal === undefined ? null : presentPrincipal(principal);
  const mode = identity.isSignInRequired() ? 'sign-in' : 'open';
  // The ways to sign in with a password remain while it cannot be read.
  const name = mode === 'open' ? undefined : await identity.oidc.buttonName().catch(() => undefined);
  const identityProvider = name === undefined ? null : { name };
  sendData(response, 200, JSON.stringify({ mode, user, identityProvider, ...more }));
}

function presentPrincipal({ kind, id, name, rights: { roles, permissions }, viewsAs }: Principal): object {
  return { kind, id, name, roles, permissions, ...(viewsAs === undefined ? {} : { viewsAs }) };
}

import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { lineOfText } from '@gantry/core-common';
import { openedSession, sessionState, type OpenedSession, type SessionState } from '../../accounts/account-schemas';
import type { Identity } from '../../create-identity';
import type { PasskeySite } from '../../second-factors/passkey-site';
import {
  type Principal,
  countingProofs,
  createAttemptLimit,
  takeBack,
  type AttemptLimit,
  type CountedAttempt,
  type Client,
  routesWith,
  type HostRoute,
  unauthenticated,
  recordAnonymousRefusal,
} from '@gantry/core-http';
import { endAccess, endedAccess, remainingAccess } from '../../accounts/remaining-access';
import { assertSignInMode } from '../assert-sign-in-mode';
import { openSession, sessionAuthor, sessionHeaders, type SessionSecrets, type SessionSettings } from './open-session';
import { assertSecondFactor, givenFactor, secondFactorInput } from './second-factor';
import { cookieText, readCookie } from './session-cookie';

export interface SignInServices extends SessionSettings {
  readonly identity: Identity;
  /** Undefined where passkeys are not offered. */
  readonly passkeySite: PasskeySite | undefined;
  readonly attempts: SignInAttempts;
}

/** Wrong passwords and codes, by what they are counted for. */
export type SignInAttempts = Readonly<Record<'address' | 'account' | 'device' | 'link', AttemptLimit>>;

const minuteMs = 60_000;

export function createSignInAttempts(): SignInAttempts {
  return {
    address: createAttemptLimit(20, 5 * minuteMs),
    account: createAttemptLimit(10, 15 * minuteMs),
    device: createAttemptLimit(10, 15 * minuteMs),
    link: createAttemptLimit(5, 15 * minuteMs),
  };
}

/**
 * Attempts are counted by the handlers: others behind the same address must not lock out a browser that has signed in before. A
 * request without a credential has a share of the work all the same.
 */
const limits = { share: 25, rate: false } as const;
/** A passkey takes 20 kB; a larger one is still refused by its parts. */
const bodyLimit = 128 * 1_024;

const route = routesWith<SignInServices>();
const sessionPath = '/api/platform/session';

/** Signing in and out, in a browser. */
export const signInRoutes: readonly HostRoute<SignInServices>[] = [
  route({
    method: 'GET',
    path: sessionPath,
    operationId: 'readSession',
    summary: 'Show the mode of the platform and the caller',
    description:
      '`mode` is `open` while no user exists: then everyone on the machine of the platform may do everything.',
    access: 'public',
    limits,
    answer: sessionState,
    handler: async ({ client: { principal } }, { identity }) => ({ data: await stateOf(identity, principal) }),
  }),
  route({
    method: 'POST',
    path: sessionPath,
    operationId: 'signIn',
    summary: 'Sign in with a password; the session is in a cookie',
    description:
      'The cookie is for browsers: a write with it must come from the admin pages. If the account has ' +
      'a second factor, a request without it is a 401 `SECOND_FACTOR_REQUIRED`, which names the possible factors. Too many wrong ' +
      'attempts are a 429 for some minutes.',
    access: 'public',
    demand: { mode: assertSignInMode },
    limits,
    bodyLimit,
    audit: 'sign-in',
    body: z.strictObject({
      login: lineOfText('login', 254).meta({ minLength: 1, maxLength: 254, description: 'Email address.' }),
      password: z.string().min(1).max(1_024),
      ...secondFactorInput,
    }),
    answer: openedSession,
    async handler({ body: { login, password, ...proofs }, client, audit }, services) {
      const { identity, cookies } = services;
      const given = givenFactor(proofs);
      const attempts = await attemptsOf(services, client, login);
      for (const [limit, key] of attempts) await limit.begin(key, () => recordLimit(identity, client));
      const found = await countingProofs(attempts, () => identity.signIn.withPassword(login, password));
      if (found === undefined) {
        await recordAnonymousRefusal(identity, client, 'sign-in-refused', login);
        throw new GantryError('UNAUTHENTICATED', 'The email address or the password is wrong.');
      }
      // A client that is asked for a second factor knows the password.
      if (given === undefined) await takeBack(attempts);
      await assertSecondFactor(services, client, { owner: found, purpose: 'sign-in', given });
      if (given !== undefined) await takeBack(attempts);
      const secrets = await identity.recording(sessionAuthor(client, found.userId), async (change) => {
        const opened = await openSession(cookies, client, change, found);
        await audit({ subject: `user:${found.userId}` }, change.record);
        return opened;
      });
      return { data: await openedOf(services, client, secrets), headers: sessionHeaders(services, secrets) };
    },
  }),
  route({
    method: 'DELETE',
    path: sessionPath,
    operationId: 'signOut',
    summary: 'End the session of the cookie',
    description: 'Removes the cookie. Without a session, the request has no effect.',
    access: 'public',
    limits,
    bodyLimit,
    async handler({ client }, { identity, cookies }) {
      const secret = readCookie(client, cookies.session);
      const { principal } = client;
      if (secret !== undefined && principal?.sessionId !== undefined) {
        await identity.recording(sessionAuthor(client, principal.id), async ({ sessions, record }) => {
          await sessions.close(secret);
          await record({ action: 'sign-out', subject: `user:${principal.id}` });
        });
        identity.authenticator.forget();
      }
      const ended = { value: '', maxAgeSeconds: 0, isSecure: cookies.isSecure };
      return {
        headers: { 'Set-Cookie': [cookies.session, cookies.viewAs].map((name) => cookieText({ name, ...ended })) },
      };
    },
  }),
  route({
    method: 'POST',
    path: '/api/platform/one-time-links',
    operationId: 'setPasswordByLink',
    summary: 'Set a password by the secret of a one-time link, and sign in',
    description:
      'The link works once, for 15 minutes; other sessions of the person end. `revokeTokens` and `deleteWebhooks` end ' +
      'other access; `remaining` names the access that is left.',
    access: 'public',
    demand: { mode: assertSignInMode },
    limits,
    bodyLimit,
    audit: 'password-set',
    body: z.strictObject({
      secret: z.string().min(1).max(100),
      // How long it must be depends on the password policy, which says so.
      password: z.string().max(1_024).meta({ minLength: 8 }),
      ...secondFactorInput,
      ...endedAccess,
    }),
    answer: openedSession.extend({ remaining: remainingAccess }).describe('A session was opened.'),
    async handler({ body: { secret, password, revokeTokens, deleteWebhooks, ...proofs }, client, audit }, services) {
      const { identity, cookies, attempts } = services;
      const given = givenFactor(proofs);
      const onReached = (): Promise<void> => recordLimit(identity, client);
      await attempts.address.begin(client.key, onReached);
      const owner = await identity.signIn.findLink(secret);
      if (owner === undefined) throw await refuseLink(identity, client);
      // The finder of a link must not guess the code.
      await attempts.link.begin(owner.userId, onReached);
      // A question is no guess; each try with a passkey begins with one.
      if (given === undefined) await attempts.link.succeed(owner.userId);
      const ofAddress: CountedAttempt = [attempts.address, client.key];
      const counted: readonly CountedAttempt[] =
        given === undefined ? [ofAddress] : [ofAddress, [attempts.link, owner.userId]];
      // Before the code, which can be used once.
      await identity.signIn.assertAcceptable(password);
      await assertSecondFactor(services, client, { owner, purpose: 'one-time-link', given });
      const hash = await countingProofs(counted, () => identity.signIn.hashPassword(password));
      const opened = await identity.change(sessionAuthor(client, owner.userId), async (change) => {
        const person = await change.signIn.withLink(secret, hash);
        if (person === undefined) return undefined;
        const secrets = await openSession(cookies, client, change, person);
        await audit({ subject: `user:${person.userId}` }, change.record);
        const user = { id: person.userId, login: person.login };
        return { secrets, remaining: await endAccess(change, user, { revokeTokens, deleteWebhooks }) };
      });
      if (opened === undefined) throw await refuseLink(identity, client);
      await takeBack(counted);
      const { secrets, remaining } = opened;
      const data = { ...(await openedOf(services, client, secrets)), remaining };
      return { data, headers: sessionHeaders(services, secrets) };
    },
  }),
];

async function refuseLink(identity: Identity, client: Client): Promise<GantryError> {
  await recordAnonymousRefusal(identity, client, 'link-refused');
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
  { identity, cookies, attempts }: SignInServices,
  client: Client,
  login: string,
): Promise<readonly CountedAttempt[]> {
  const account = login.toLowerCase();
  const device = readCookie(client, cookies.device);
  const isKnown = device !== undefined && (await identity.signIn.isKnownDevice(account, device));
  if (isKnown) return [[attempts.device, account]];
  return [
    [attempts.address, client.key],
    [attempts.account, account],
  ];
}

/** Once for each time that a limit is reached. */
async function recordLimit(identity: Identity, client: Client): Promise<void> {
  await recordAnonymousRefusal(identity, client, 'attempts-limited');
}

async function openedOf(
  { identity, cookies }: SignInServices,
  client: Client,
  { secret }: SessionSecrets,
): Promise<OpenedSession> {
  // The session that the browser had has ended.
  if (readCookie(client, cookies.session) !== undefined) identity.authenticator.forget();
  const { user, ...state } = await stateOf(identity, await identity.authenticator.session(secret));
  if (user === null) throw unauthenticated('The session has ended. Sign in again.');
  return { ...state, user };
}

async function stateOf(identity: Identity, principal: Principal | undefined): Promise<SessionState> {
  const mode = identity.isSignInRequired() ? 'sign-in' : 'open';
  // The ways to sign in with a password remain while it cannot be read.
  const name = mode === 'open' ? undefined : await identity.oidc.buttonName().catch(() => undefined);
  const identityProvider = name === undefined ? null : { name };
  return { mode, user: principal === undefined ? null : callerOf(principal), identityProvider };
}

function callerOf({ kind, id, name, rights: { roles, permissions }, viewsAs }: Principal): SessionState['user'] {
  // Without a credential, nobody is signed in.
  if (kind === 'public') return null;
  return { kind, id, name, roles, permissions, ...(viewsAs === undefined ? {} : { viewsAs }) };
}

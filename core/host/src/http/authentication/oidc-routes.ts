import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DetailCode } from '@gantry/contracts';
import { GantryError, invalidParameter, type Logger } from '@gantry/plugin-api';
import {
  SignInRefusal,
  type AccountChange,
  type Identity,
  type ProviderClaims,
  type ProviderVisit,
} from '../../identity';
import { clientAddress, clientKey } from '../exchange/client-address';
import { toProblem } from '../exchange/problem';
import { parseQuery } from '../exchange/query';
import { addPath, type Routes } from '../exchange/routes';
import { assertSignInMode } from './assert-sign-in-mode';
import { createAttemptLimit, type AttemptLimit } from './attempt-limit';
import { recordAnonymousRefusal } from '../exchange/record-action';
import { pagesPath, parseReturnPath } from './return-path';
import { readCookie, setCookie, type SessionCookies } from './session-cookie';
import { openSession, setSessionCookies, type OpenedSession } from './sign-in-routes';

export interface OidcRouteDependencies {
  readonly identity: Identity;
  readonly cookies: SessionCookies;
  readonly logger: Logger;
  /** Seconds after which a session ends in any case. */
  readonly maxSeconds: number;
  /** Origin at which browsers reach the platform, where that is not this machine. */
  readonly publicUrl: string | undefined;
}

const startPath = '/api/platform/oidc/start';
const callbackPath = '/api/platform/oidc/callback';
const requestSeconds = 600;

/** Sign-in by an identity provider: the browser is sent to it, and comes back with the answer. */
export function oidcRoutes(dependencies: OidcRouteDependencies): Routes {
  const attempts = createAttemptLimit(60, 5 * 60_000);
  return (app) => {
    addPath(app, startPath, {
      async get(request, response) {
        const { returnTo, presence } = parseQuery(request, ['returnTo', 'presence']);
        assertSignInMode(dependencies.identity);
        assertNavigation(request);
        const path = parseReturnPath(returnTo);
        await orRefused(dependencies, request, response, path, () =>
          start(dependencies, attempts, request, response, { returnTo: path, asksAgain: parseFlag(presence) }),
        );
      },
    });
    addPath(app, callbackPath, {
      async get(request, response) {
        assertSignInMode(dependencies.identity);
        assertNavigation(request);
        await orRefused(dependencies, request, response, pagesPath, () =>
          complete(dependencies, attempts, request, response),
        );
      },
    });
  };
}

/**
 * Both are opened by a browser as pages, and change something: a picture or a frame of another site, or a check by HEAD, must not
 * use up an answer.
 */
function assertNavigation({ method, headers }: IncomingMessage): void {
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  if (method === 'GET' && mode === 'navigate' && destination === 'document') return;
  throw new GantryError('FORBIDDEN', 'This address is opened in a browser, as a page, to sign in.');
}

/** `presence=true`: the provider has to ask the person to sign in again. @throws GantryError BAD_REQUEST */
function parseFlag(presence: string | undefined): boolean {
  if (presence === undefined || presence === 'true') return presence === 'true';
  throw invalidParameter('presence', 'presence must be true or left out', 'VALUE_INVALID' satisfies DetailCode);
}

async function start(
  { identity, cookies, publicUrl }: OidcRouteDependencies,
  attempts: AttemptLimit,
  request: IncomingMessage,
  response: ServerResponse,
  wanted: Pick<ProviderVisit, 'returnTo' | 'asksAgain'>,
): Promise<void> {
  await begin(identity, attempts, request);
  // The gate has compared the host with those that are served.
  const origin = publicUrl ?? `http://${request.headers.host ?? ''}`;
  const redirectUri = new URL(callbackPath, origin).href;
  const known = readCookie(request, cookies.provider);
  const { address, browser } = await identity.oidc.begin({ ...wanted, redirectUri }, known);
  const { isSecure } = cookies;
  setCookie(response, { name: cookies.provider, value: browser, maxAgeSeconds: requestSeconds, isSecure });
  redirect(response, address);
}

async function complete(
  dependencies: OidcRouteDependencies,
  attempts: AttemptLimit,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { identity, cookies } = dependencies;
  await begin(identity, attempts, request);
  const query = new URL(request.url ?? '', 'http://gantry.invalid').searchParams;
  const { claims, returnTo } = await identity.oidc.complete(query, readCookie(request, cookies.provider));
  const opened = await identity.change({ actor: 'identity-provider', address: clientAddress(request) }, (change) =>
    signIn(dependencies, request, change, claims),
  );
  if (opened instanceof SignInRefusal) throw opened.at(returnTo);
  setSessionCookies(dependencies, response, opened);
  // The one that began it, and this one.
  for (let count = 0; count < 2; count += 1) await attempts.succeed(clientKey(request));
  redirect(response, returnTo);
}

/** Account, session and what the audit log says about them are one transaction. A refusal is returned: what it changed remains. */
async function signIn(
  dependencies: OidcRouteDependencies,
  request: IncomingMessage,
  change: AccountChange,
  claims: ProviderClaims,
): Promise<OpenedSession | SignInRefusal> {
  const found = await change.provider.signIn(claims);
  const changed = found instanceof SignInRefusal ? found.details.changed : found;
  for (const event of changed?.events ?? []) await change.record({ subject: `user:${changed?.userId}`, ...event });
  if (found instanceof SignInRefusal) return found;
  return openSession(dependencies, request, change, { person: found.person, action: 'provider-sign-in' });
}

async function begin(identity: Identity, attempts: AttemptLimit, request: IncomingMessage): Promise<void> {
  await attempts.begin(clientKey(request), () => recordAnonymousRefusal(identity, request, 'attempts-limited'));
}

/** A person reads the answer in a browser: the page to sign in says what happened. */
async function orRefused(
  { identity, logger }: OidcRouteDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  returnTo: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SignInRefusal) {
      const { login, returnTo: begunAt } = error.details;
      logger.info({ code: error.code, login }, `Sign-in by the identity provider refused: ${error.message}`);
      await recordAnonymousRefusal(identity, request, `provider-sign-in-refused-${error.code}`, login);
      redirectToSignIn(response, begunAt ?? returnTo, error.code);
      return;
    }
    const { code, message } = toProblem(error);
    if (code === 'UNAVAILABLE') logger.warn({ code }, `Sign-in by the identity provider failed: ${message}`);
    redirectToSignIn(response, returnTo, refusalCodeOf(code, error));
  }
}

/** @throws what is a fault of the platform */
function refusalCodeOf(code: GantryError['code'], error: unknown): string {
  if (code === 'UNAVAILABLE') return 'unavailable';
  if (code === 'TOO_MANY_REQUESTS') return 'too-many-attempts';
  // The account was changed between the answer of the provider and the session.
  if (code === 'UNAUTHENTICATED') return 'expired';
  throw error;
}

/** Behind the `#`, the code is sent to no server and is no part of a link that is shared. */
function redirectToSignIn(response: ServerResponse, returnTo: string, code: string): void {
  redirect(response, `${returnTo}#sign-in-refused=${code}`);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location }).end();
}

import { GantryError, type Logger } from '@gantry/plugin-api';
import { z } from 'zod';
import { SignInRefusal } from '../../oidc/sign-in-refusal';
import type { AccountChange } from '../../accounts/change-accounts';
import type { Identity } from '../../create-identity';
import type { ProviderClaims } from '../../oidc/provider';
import type { ProviderVisit } from '../../oidc/oidc';
import {
  type AttemptLimit,
  type Client,
  routesWith,
  type HostRoute,
  toProblem,
  recordAnonymousRefusal,
} from '@gantry/core-http';
import { assertSignInMode } from '../assert-sign-in-mode';
import { openSession, sessionHeaders, type SessionSecrets, type SessionSettings } from './open-session';
import { cookieText, readCookie } from './session-cookie';
import { isTextLine } from '@gantry/contracts';

/** The pages begin here. */
const pagesPath = '/admin/';

const maxLength = 1_000;
const anyOrigin = 'http://gantry.invalid';

/**
 * Where the browser goes after the sign-in: an address of the pages, as path and query. Every other one is refused, so that no link
 * to the platform leads elsewhere.
 */
const returnPath = z
  .string()
  .refine((text) => pathOfPages(text) !== undefined, {
    error: `returnTo must be a path of the pages, such as ${pagesPath}content/product, of at most ${maxLength} characters`,
  })
  .default(pagesPath)
  .meta({ maxLength, pattern: String.raw`^/admin(?:[/?][^\\#]*)?$` });

/** A path of the pages as a browser reads it: dots may lead out of them. @returns undefined for any other text */
function pathOfPages(text: string): string | undefined {
  const isPlain = isTextLine(text, maxLength) && /^\/admin(?:[/?]|$)/.test(text) && !/[\\#]/.test(text);
  const url = isPlain && URL.canParse(text, anyOrigin) ? new URL(text, anyOrigin) : undefined;
  const isOfPages = url?.origin === anyOrigin && /^\/admin(?:\/|$)/.test(url.pathname);
  return isOfPages ? url.pathname + url.search : undefined;
}

export interface OidcServices extends SessionSettings {
  readonly identity: Identity;
  readonly logger: Logger;
  /** Origin at which browsers reach the platform, where that is not this machine. */
  readonly publicUrl: string | undefined;
  /** By address. */
  readonly attempts: AttemptLimit;
}

const startPath = '/api/platform/oidc/start';
const callbackPath = '/api/platform/oidc/callback';
const requestSeconds = 600;

/** The handlers count: who has too many attempts is shown that on the page to sign in. */
const limits = { share: 25, rate: false } as const;

const route = routesWith<OidcServices>();

/** Sign-in by an identity provider: the browser is sent to it, and comes back with the answer. A browser opens both addresses as pages. */
export const oidcRoutes: readonly HostRoute<OidcServices>[] = [
  route({
    method: 'GET',
    path: startPath,
    operationId: 'beginProviderSignIn',
    summary: 'Begin a sign-in with the identity provider, in a browser',
    description:
      'Only for the navigation of a browser. The response of the provider must reach the same browser ' +
      'within 10 minutes.',
    access: 'public',
    demand: { mode: assertSignInMode },
    limits,
    errors: ['CONFLICT'],
    query: z.object({
      returnTo: returnPath.describe('Path of the pages to which the browser goes after the sign-in.'),
      presence: z
        .literal('true')
        .exactOptional()
        .describe('Requires the provider to ask the person to sign in again, which proves presence.'),
    }),
    status: {
      303: 'Redirects to the provider. A refused request is redirected to the sign-in page, with a code in `#sign-in-refused=`.',
    },
    async handler({ client, query: { returnTo, presence } }, services) {
      assertNavigation(client);
      const path = pathOfPages(returnTo) ?? pagesPath;
      const visit = { returnTo: path, asksAgain: presence === 'true' };
      return orRefused(services, client, path, () => start(services, client, visit));
    },
  }),
  route({
    method: 'GET',
    path: callbackPath,
    operationId: 'completeProviderSignIn',
    summary: 'Complete a sign-in with the identity provider; the parameters are those of OpenID Connect',
    description: 'Finds or creates the account as the settings of the provider define.',
    access: 'public',
    demand: { mode: assertSignInMode },
    limits,
    errors: ['CONFLICT'],
    hasForeignQuery: true,
    status: {
      303: 'Redirects to the requested page, with the cookie of a session. A refused sign-in is redirected to the sign-in page.',
    },
    async handler({ client }, services) {
      assertNavigation(client);
      return orRefused(services, client, pagesPath, () => complete(services, client));
    },
  }),
];

/** An answer that sends the browser to another address. */
interface Redirect {
  readonly status: 303;
  readonly location: string;
  readonly headers?: { readonly 'Set-Cookie': string | readonly string[] };
}

/**
 * Both change something: a picture or a frame of another site, or a check by HEAD, must not use up an answer.
 */
function assertNavigation({ method, headers }: Client): void {
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  if (method === 'GET' && mode === 'navigate' && destination === 'document') return;
  throw new GantryError('FORBIDDEN', 'Open this address as a page in a browser to sign in.');
}

async function start(
  { identity, cookies, publicUrl, attempts }: OidcServices,
  client: Client,
  wanted: Pick<ProviderVisit, 'returnTo' | 'asksAgain'>,
): Promise<Redirect> {
  await begin(identity, attempts, client);
  // The gate has compared the host with those that are served.
  const origin = publicUrl ?? `http://${client.headers.host ?? ''}`;
  const redirectUri = new URL(callbackPath, origin).href;
  const known = readCookie(client, cookies.provider);
  const { address, browser } = await identity.oidc.begin({ ...wanted, redirectUri }, known);
  const { isSecure, provider: name } = cookies;
  const cookie = cookieText({ name, value: browser, maxAgeSeconds: requestSeconds, isSecure });
  return { status: 303, location: address, headers: { 'Set-Cookie': cookie } };
}

async function complete(services: OidcServices, client: Client): Promise<Redirect> {
  const { identity, cookies, attempts } = services;
  await begin(identity, attempts, client);
  const query = new URL(client.url, 'http://gantry.invalid').searchParams;
  const { claims, returnTo } = await identity.oidc.complete(query, readCookie(client, cookies.provider));
  const opened = await identity.change({ actor: 'identity-provider', address: client.address }, (change) =>
    signIn(services, client, change, claims),
  );
  if (opened instanceof SignInRefusal) throw opened.at(returnTo);
  // The one that began it, and this one.
  for (let count = 0; count < 2; count += 1) await attempts.succeed(client.key);
  return { status: 303, location: returnTo, headers: sessionHeaders(services, opened) };
}

/** Account, session and what the audit log says about them are one transaction. A refusal is returned: what it changed remains. */
async function signIn(
  { cookies }: OidcServices,
  client: Client,
  change: AccountChange,
  claims: ProviderClaims,
): Promise<SessionSecrets | SignInRefusal> {
  const found = await change.provider.signIn(claims);
  const changed = found instanceof SignInRefusal ? found.details.changed : found;
  for (const event of changed?.events ?? []) await change.record({ subject: `user:${changed?.userId}`, ...event });
  if (found instanceof SignInRefusal) return found;
  const secrets = await openSession(cookies, client, change, found.person);
  const subject = `user:${found.person.userId}`;
  await change.record({ actor: subject, action: 'provider-sign-in', subject });
  return secrets;
}

async function begin(identity: Identity, attempts: AttemptLimit, client: Client): Promise<void> {
  await attempts.begin(client.key, () => recordAnonymousRefusal(identity, client, 'attempts-limited'));
}

/** A person reads the answer in a browser: the page to sign in says what happened. */
async function orRefused(
  { identity, logger }: OidcServices,
  client: Client,
  returnTo: string,
  work: () => Promise<Redirect>,
): Promise<Redirect> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInRefusal) {
      const { login, returnTo: begunAt } = error.details;
      logger.info({ code: error.code, login }, `Sign-in with the identity provider refused: ${error.message}`);
      await recordAnonymousRefusal(identity, client, `provider-sign-in-refused-${error.code}`, login);
      return toSignIn(begunAt ?? returnTo, error.code);
    }
    const { code, message } = toProblem(error);
    if (code === 'UNAVAILABLE') logger.warn({ code }, `Sign-in with the identity provider failed: ${message}`);
    return toSignIn(returnTo, refusalCodeOf(code, error));
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
function toSignIn(returnTo: string, code: string): Redirect {
  return { status: 303, location: `${returnTo}#sign-in-refused=${code}` };
}

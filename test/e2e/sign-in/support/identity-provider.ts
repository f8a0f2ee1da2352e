import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Configuration } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { parseConfig } from '@gantry/host/config';
import { createStderrLogger, openIdentity } from '@gantry/host/open-identity';
import { send, type Answer } from '../../../support/rest-client';

const clientId = 'gantry';
const clientSecret = 'a secret of the client: 1+1%=2';

/** Claims of the provider about a person. */
export interface ProviderPerson {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly groups?: unknown;
}

export type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID provider on this machine, whose people and faults a test chooses. */
export interface IdentityProvider {
  readonly issuer: string;
  /** By their subject. */
  readonly people: Map<string, ProviderPerson>;
  /** Faults, by which the provider differs from a right one. */
  readonly faults: {
    /** Replaces the ID token that was signed. */
    idToken?: ((claims: Claims) => string) | undefined;
    /** Answers the requests of this path with status 500, or not at all. */
    failing?: { readonly path: string; readonly how: 'error' | 'silence' } | undefined;
    /** Answers requests of this path only after it has resolved. */
    delayed?: { readonly path: string; readonly until: () => Promise<void> } | undefined;
  };
  /** Signs a token as the provider does. */
  sign(claims: Claims, header?: Claims): string;
  close(): Promise<void>;
}

export interface IdentityProviderOptions {
  readonly redirectUris: readonly string[];
  /** Whether the ID token has all claims, and not only the answer of the userinfo endpoint. */
  readonly claimsInToken?: boolean;
  /** Name of this machine in the issuer; with another one than that of the platform, they are two sites to a browser. */
  readonly hostName?: '127.0.0.1' | 'localhost';
  /** Whether the client secret is taken from the body only. */
  readonly secretInBody?: boolean;
}

/** Of all providers of a test file: making one takes a tenth of a second of processor time or more. */
let signingKey: KeyObject | undefined;

export async function startIdentityProvider({
  redirectUris,
  claimsInToken = false,
  hostName = '127.0.0.1',
  secretInBody = false,
}: IdentityProviderOptions): Promise<IdentityProvider> {
  // It warns that a provider for people needs another store and, on Node 20, a later version.
  const warnings = jest.spyOn(console, 'warn').mockImplementation();
  const { default: Provider } = await import('oidc-provider');
  signingKey ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const privateKey = signingKey;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${hostName}:${(server.address() as AddressInfo).port}`;
  const method = secretInBody ? 'client_secret_post' : 'client_secret_basic';
  const people: IdentityProvider['people'] = new Map();
  const faults: IdentityProvider['faults'] = {};
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        token_endpoint_auth_method: method,
      },
    ],
    ...(secretInBody ? { clientAuthMethods: [method] } : {}),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the cookies'] },
    conformIdTokenClaims: !claimsInToken,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => Promise.resolve({ ...people.get(subject), sub: subject }),
    }),
    loadExistingGrant: grantEverything,
  } satisfies Configuration);
  warnings.mockRestore();
  const sign: IdentityProvider['sign'] = (claims, header = {}) => {
    const body = [{ alg: 'RS256', typ: 'JWT', kid: 'key', ...header }, claims].map(encode).join('.');
    return `${body}.${createSign('RSA-SHA256').update(body).sign(privateKey, 'base64url')}`;
  };
  provider.use(async (context, next) => {
    await next();
    const answer = context.body as { id_token?: string } | undefined;
    if (context.path !== '/token' || faults.idToken === undefined || answer?.id_token === undefined) return;
    const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
    answer.id_token = faults.idToken(claims);
  });
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0];
    if (faults.failing?.path === path) {
      if (faults.failing?.how === 'error') response.writeHead(500).end();
    } else if (path?.startsWith('/interaction/') === true) void interact(request, response);
    else if (faults.delayed?.path === path) void faults.delayed?.until().then(() => answer(request, response));
    else void answer(request, response);
  });
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(signInForm);
      return;
    }
    const subject = new URLSearchParams(await text(request)).get('subject') ?? '';
    const result = subject === '' ? { error: 'access_denied' } : { login: { accountId: subject, remember: false } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
  return { issuer, people, faults, sign, close: () => close(server) };
}

const signInForm = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>Provider</h1>
  <form method="post"><label>Person <input name="subject"></label><button>Continue</button></form></html>`;

const grantEverything: NonNullable<Configuration['loadExistingGrant']> = async ({ oidc }) => {
  const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
  grant.addOIDCScope('openid email profile groups');
  await grant.save();
  return grant;
};

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

type Identity = Awaited<ReturnType<typeof openIdentity>>['identity'];
type Settings = Parameters<Identity['oidc']['check']>[0];

interface Platform {
  readonly databaseUrl: string;
  readonly secretKey: string;
}

/** Stores the provider as `gantry auth oidc set` does. */
export async function configureProvider(
  platform: Platform,
  settings: Partial<Settings> & Pick<Settings, 'issuer'>,
): Promise<void> {
  await withSettings(platform, async ({ oidc, provider }) =>
    provider.set(
      await oidc.check({
        clientId,
        clientSecret,
        name: 'Example login',
        groupsClaim: 'groups',
        roles: [{ group: 'admins', role: 'administrator' }],
        linksByEmail: false,
        ...settings,
      }),
    ),
  );
}

/** As `gantry auth oidc remove` does. */
export async function removeProvider(platform: Platform): Promise<void> {
  await withSettings(platform, ({ provider }) => provider.remove());
}

async function withSettings(
  { databaseUrl, secretKey }: Platform,
  work: (identity: Identity) => Promise<unknown>,
): Promise<void> {
  const { identity, close: closeIdentity } = await openIdentity(
    parseConfig({ DATABASE_URL: databaseUrl, GANTRY_SECRET_KEY: secretKey }),
    createStderrLogger('silent'),
  );
  try {
    await work(identity);
  } finally {
    await closeIdentity();
  }
}

/** Cookies of a browser, by host and port. */
export interface Jar {
  readonly cookies: Map<string, Map<string, string>>;
  /** Address of the browser, for a platform that believes its proxy. */
  readonly client: string;
}

let clients = 0;

/** A browser on a separate machine. */
export function createJar(): Jar {
  clients += 1;
  return { cookies: new Map(), client: `198.51.${clients >> 8}.${clients & 255}` };
}

/** Opens an address as a browser does when a link is followed, without following redirects. */
export async function visit(
  jar: Jar,
  url: string,
  form?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { origin, pathname, search } = new URL(url);
  const cookies = jar.cookies.get(origin) ?? new Map<string, string>();
  jar.cookies.set(origin, cookies);
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const answer = await send(origin, pathname + search, {
    headers: {
      'x-forwarded-for': jar.client,
      ...(cookie === '' ? {} : { cookie }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form).toString() }),
  });
  for (const header of answer.headers['set-cookie'] ?? []) {
    const [pair = ''] = header.split(';');
    const at = pair.indexOf('=');
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(header)) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return answer;
}

/** Begins a sign-in and confirms the person at the provider. @returns the address with the answer of the provider */
export async function toCallback(
  jar: Jar,
  address: string,
  subject: string,
  returnTo = '/admin/',
  more = '',
): Promise<string> {
  const start = `${address}/api/platform/oidc/start?returnTo=${encodeURIComponent(returnTo)}${more}`;
  const started = await visit(jar, start);
  let url = locationOf(started, address);
  while (!url.startsWith(`${address}/`)) {
    const isForm = new URL(url).pathname.startsWith('/interaction/');
    url = locationOf(await visit(jar, url, isForm ? { subject } : undefined), url);
  }
  if (!url.startsWith(`${address}/api/`)) throw new Error(`The way to the provider ended at ${url}`);
  return url;
}

/** The whole way of a browser. @returns the answer that ends it, on the platform */
export async function signInByProvider(
  jar: Jar,
  address: string,
  subject: string,
  returnTo = '/admin/',
): Promise<Answer> {
  return visit(jar, await toCallback(jar, address, subject, returnTo));
}

function locationOf({ status, headers, text: body }: Answer, base: string): string {
  if (headers.location === undefined) throw new Error(`No redirect from ${base}: ${status} ${body.slice(0, 500)}`);
  return new URL(headers.location, base).href;
}

/** The same, where the provider has to ask the person to sign in again. */
export async function provePresence(jar: Jar, address: string, subject: string): Promise<Answer> {
  return visit(jar, await toCallback(jar, address, subject, '/admin/', '&presence=true'));
}

/** The code with which an answer leads back to the page to sign in; undefined for another answer. */
export function refusalOf({ headers }: Answer): string | undefined {
  return headers.location?.split('#sign-in-refused=')[1];
}

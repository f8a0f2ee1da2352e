import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { settingValue, type HostDatabase } from '@gantry/core-database';
import { createSecret } from '../tokens/secrets';
import type { SecretBox } from '@gantry/core-common';
import {
  parseOidcClient,
  readOidcClient,
  readOidcSettings,
  settingName,
  type OidcClient,
  type OidcSettings,
} from './oidc-settings';
import { connectProvider, type Provider, type ProviderClaims } from './provider';
import { createProviderRequests } from './provider-requests';
import { SignInRefusal } from './sign-in-refusal';

/** For what a browser is sent to the provider. */
export interface ProviderVisit {
  /** Address of this platform to which the provider sends the browser. */
  readonly redirectUri: string;
  /** Path of the pages to which the browser goes back. */
  readonly returnTo: string;
  /** Whether the provider has to ask the person to sign in, also where it remembers an earlier sign-in. */
  readonly asksAgain: boolean;
}

/** A browser that is sent to the provider. */
export interface BegunSignIn {
  /** Address of the provider. */
  readonly address: string;
  /** Secret for a cookie of the browser. */
  readonly browser: string;
}

/** A person whom the provider has confirmed. */
export interface ConfirmedSignIn {
  readonly claims: ProviderClaims;
  readonly returnTo: string;
}

/** Sign-in by an identity provider (OpenID Connect). */
export interface Oidc {
  read(): Promise<OidcSettings | undefined>;
  /** Name for the button to sign in, up to 4 seconds old; undefined while no provider is configured. */
  buttonName(): Promise<string | undefined>;
  /** Settings to be stored, after a request to the provider. @throws GantryError VALIDATION_FAILED */
  check(client: OidcClient): Promise<OidcClient>;
  /**
   * @param browser secret that the browser has from an earlier sign-in
   * @throws SignInRefusal
   */
  begin(visit: ProviderVisit, browser: string | undefined): Promise<BegunSignIn>;
  /**
   * @param query with which the provider has sent the browser back
   * @throws SignInRefusal
   */
  complete(query: URLSearchParams, browser: string | undefined): Promise<ConfirmedSignIn>;
}

/** Every process notices another name within this time. */
const keptMs = 4_000;
/** Addresses of the provider are read again after this time. */
const providerKeptMs = 600_000;

/** @param reading connections that plugins cannot occupy */
export function createOidc(database: Database, reading: Pick<HostDatabase, 'query'>, secretBox: SecretBox): Oidc {
  const requests = createProviderRequests(database, secretBox);
  const connect = createConnections();
  const configured = async (): Promise<{ readonly client: OidcClient; readonly provider: Provider }> => {
    const client = await readOidcClient(database, secretBox);
    if (client === undefined) throw new SignInRefusal('not-configured', 'No identity provider is configured');
    return { client, provider: await connect(client) };
  };
  return {
    read: () => readOidcSettings(database),
    buttonName: keeping(async () => {
      const [row] = await reading.query({ sql: `SELECT ${settingValue(settingName)} ->> 'name'` });
      return typeof row?.[0] === 'string' ? row[0] : undefined;
    }),
    check: checkClient,
    async begin({ redirectUri, returnTo, asksAgain }, given) {
      const { provider } = await configured();
      const browser = given ?? createSecret();
      const since = asksAgain ? { signsInSince: Date.now() } : {};
      const pending = await requests.add(browser, { issuer: provider.issuer, redirectUri, returnTo, ...since });
      return { address: await provider.authorizationAddress(pending), browser };
    },
    async complete(query, browser) {
      const pending = browser === undefined ? undefined : await requests.take(browser, query.get('state') ?? '');
      if (pending === undefined) throw new SignInRefusal('expired', 'The state is unknown, used or expired');
      const { returnTo } = pending;
      try {
        const { provider } = await configured();
        if (provider.issuer !== pending.issuer) {
          throw new SignInRefusal('expired', 'The provider was changed meanwhile');
        }
        const claims = await provider.claims(new URL(`${pending.redirectUri}?${query.toString()}`), pending);
        return { claims, returnTo };
      } catch (error) {
        if (error instanceof SignInRefusal) throw error.at(returnTo);
        throw error;
      }
    },
  };
}

/** @throws GantryError VALIDATION_FAILED */
async function checkClient(input: OidcClient): Promise<OidcClient> {
  const parsed = parseOidcClient(input);
  const { issuer } = await connectProvider(parsed).catch((error: unknown) => {
    if (!(error instanceof SignInRefusal)) throw error;
    throw new GantryError('VALIDATION_FAILED', `The issuer ${parsed.issuer} cannot be used. ${error.message}.`);
  });
  return { ...parsed, issuer };
}

/** Requests that come together share one connection. One that failed is not kept. */
function createConnections(): (client: OidcClient) => Promise<Provider> {
  let kept: { readonly key: string; readonly at: number; readonly provider: Promise<Provider> } | undefined;
  return (client) => {
    const key = JSON.stringify(client);
    if (kept?.key === key && performance.now() - kept.at < providerKeptMs) return kept.provider;
    const provider = connectProvider(client);
    const entry = { key, at: performance.now(), provider };
    kept = entry;
    provider.catch(() => {
      if (kept === entry) kept = undefined;
    });
    return provider;
  };
}

/** Requests without a credential read it: they must not occupy the database. */
function keeping<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (kept === undefined || performance.now() - kept.at > keptMs) kept = { at: performance.now(), value: read() };
    return kept.value;
  };
}

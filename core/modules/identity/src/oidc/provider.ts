import type { ClientAuth, Configuration, IDToken } from 'openid-client' with { 'resolution-mode': 'import' };
import type * as OpenidClient from 'openid-client' with { 'resolution-mode': 'import' };
import { isTextLine } from '@gantry/contracts';
import { isProtected, type OidcClient } from './oidc-settings';
import { SignInRefusal } from './sign-in-refusal';

/** The request to the provider, which is compared with its answer. */
export interface ProviderRequest {
  /** Address of this platform to which the provider sends the browser. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** See {@link PendingSignIn}. */
  readonly signsInSince?: number;
}

/** The claims of the provider about a person. */
export interface ProviderClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** When the provider asked the person to sign in; known where that was requested. */
  readonly authenticatedAt?: Date;
}

/** An identity provider whose addresses and keys are known. */
export interface Provider {
  /** As the provider writes it. */
  readonly issuer: string;
  /** Where the browser is sent. */
  authorizationAddress(request: ProviderRequest): Promise<string>;
  /**
   * Exchanges the code of an answer and checks the ID token: signature, issuer, audience, nonce, times.
   * @param answer the redirect URI with the query that the browser has brought
   * @throws SignInRefusal
   */
  claims(answer: URL, request: ProviderRequest): Promise<ProviderClaims>;
}

const timeoutSeconds = 5;
const toleratedClockSeconds = 30;

/** Reads the addresses of a provider from its issuer. @throws SignInRefusal */
export async function connectProvider(client: OidcClient): Promise<Provider> {
  const library = await import('openid-client');
  const issuer = new URL(client.issuer);
  const configuration = await translating(() =>
    library.discovery(
      issuer,
      client.clientId,
      { [library.clockTolerance]: toleratedClockSeconds },
      authentication(library, client.clientSecret),
      {
        timeout: timeoutSeconds,
        execute: [
          // The signature counts, too, although the token comes from the provider itself.
          library.enableNonRepudiationChecks,
          // eslint-disable-next-line typescript/no-deprecated -- for an issuer on this machine
          ...(issuer.protocol === 'http:' ? [library.allowInsecureRequests] : []),
        ],
      },
    ),
  );
  assertEndpoints(configuration);
  return {
    issuer: configuration.serverMetadata().issuer,
    async authorizationAddress({ redirectUri, state, nonce, codeVerifier, signsInSince }) {
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopesOf(configuration, client),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // Some providers know only one of the two.
        ...(signsInSince === undefined ? {} : { max_age: '0', prompt: 'login' }),
      }).href;
    },
    claims: (answer, { state, nonce, codeVerifier, signsInSince }) =>
      translating(async () => {
        const tokens = await library.authorizationCodeGrant(configuration, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new SignInRefusal('invalid-answer', 'The answer has no ID token');
        const authenticated = signsInSince === undefined ? {} : { authenticatedAt: newSignIn(claims, signsInSince) };
        const isWhole = claims['email'] !== undefined && claims[client.groupsClaim] !== undefined;
        const asksMore = !isWhole && configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = asksMore ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        const person = claimsOf(claims, more);
        assertGroupsIncluded(person, client);
        return { ...person, ...authenticated };
      }),
  };
}

/** By the header, which every provider has to support, unless the provider names only other ways. */
function authentication(library: typeof OpenidClient, secret: string): ClientAuth {
  const byHeader = library.ClientSecretBasic(secret);
  const byBody = library.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const usesBody = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
    (usesBody ? byBody : byHeader)(server, client, body, headers);
  };
}

function scopesOf(configuration: Configuration, { groupsClaim }: OidcClient): string {
  const known = configuration.serverMetadata().scopes_supported ?? [];
  return ['openid', 'profile', 'email', ...(known.includes(groupsClaim) ? [groupsClaim] : [])].join(' ');
}

/** @throws SignInRefusal for a provider that would send browsers or codes without TLS */
function assertEndpoints(configuration: Configuration): void {
  const server = configuration.serverMetadata();
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = server;
  const needed = { authorization_endpoint, token_endpoint, jwks_uri };
  for (const [name, address] of Object.entries(needed)) {
    if (address === undefined) throw new SignInRefusal('invalid-answer', `The provider has no ${name}`);
  }
  for (const address of [...Object.values(needed), userinfo_endpoint]) {
    if (address === undefined || (URL.canParse(address) && isProtected(new URL(address)))) continue;
    throw new SignInRefusal('invalid-answer', 'The provider names an address without https');
  }
}

/** @throws SignInRefusal for a provider that remembers an earlier sign-in, or does not say when it was */
function newSignIn({ auth_time: seconds }: IDToken, since: number): Date {
  const isNew = typeof seconds === 'number' && (seconds + toleratedClockSeconds) * 1_000 >= since;
  if (isNew) return new Date(seconds * 1_000);
  throw new SignInRefusal(
    'not-asked-again',
    'The provider has not asked the person to sign in again, or does not say when',
  );
}

/** The ID token counts first. Whether an email address is verified is said where the address is. */
function claimsOf(token: IDToken, userInfo: Readonly<Record<string, unknown>>): ProviderClaims {
  if (!isTextLine(token.sub, 255)) {
    throw new SignInRefusal('invalid-answer', 'The subject is not a text of 255 characters');
  }
  const { email: _email, email_verified: _isVerified, ...others } = userInfo;
  const added = token['email'] === undefined ? userInfo : others;
  return { issuer: token.iss, subject: token.sub, claims: { ...added, ...token } };
}

/**
 * A provider may refer to another address for the groups of a person who is in many (distributed claims). To take them for no
 * groups would take the roles away.
 */
function assertGroupsIncluded({ claims }: ProviderClaims, { groupsClaim }: OidcClient): void {
  const elsewhere = claims['_claim_names'];
  if (claims[groupsClaim] !== undefined || typeof elsewhere !== 'object' || elsewhere === null) return;
  if (!Object.hasOwn(elsewhere, groupsClaim)) return;
  throw new SignInRefusal('invalid-answer', `The provider does not include the claim ${groupsClaim}: too many groups`);
}

async function translating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SignInRefusal ? error : refusalOf(error);
  }
}

/** The texts of errors may hold tokens and what the provider has written: only codes are taken from them. */
function refusalOf(error: unknown): SignInRefusal {
  const { name, code, error: reason } = error as { name?: string; code?: string; error?: string };
  if (name === 'AuthorizationResponseError') {
    return reason === 'access_denied'
      ? new SignInRefusal('cancelled', 'The sign-in was cancelled at the provider')
      : new SignInRefusal('provider-refused', `The provider answered ${codeText(reason)}`);
  }
  if (name === 'ResponseBodyError') {
    return new SignInRefusal('provider-refused', `The provider answered ${codeText(reason)} to the request for tokens`);
  }
  if (isUnreachable(error)) return new SignInRefusal('provider-unavailable', unreachableText(error));
  return new SignInRefusal('invalid-answer', `The answer of the provider is not valid: ${codeText(code ?? name)}`);
}

/** A connection that fails, no answer in time, or an answer of the kind 5xx. */
function isUnreachable(error: unknown): boolean {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown };
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true;
  if (error instanceof TypeError && message === 'fetch failed') return true;
  return cause instanceof Response && cause.status >= 500;
}

function unreachableText(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  if (cause instanceof Response) return `The provider answered with status ${cause.status}`;
  return `The provider cannot be reached: ${codeText(code === 'OAUTH_TIMEOUT' ? 'no answer in 5 seconds' : cause?.code)}`;
}

function codeText(code: unknown): string {
  return typeof code === 'string' && /^[\w .-]{1,80}$/.test(code) ? code : 'an unknown error';
}

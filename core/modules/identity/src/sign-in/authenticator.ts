import { type Principal, type Rights, publicRole } from '@gantry/core-http/ports';
import type { HostDatabase } from '@gantry/core-database';
import { rolesOfToken } from '../tokens/api-tokens';
import { rolesVersion } from '../accounts/account-changes';
import type { Roles } from '../roles/roles';
import { hashSecret, publicIdOf } from '../tokens/secrets';

/** Finds who has a credential. What it finds is kept for a few seconds, so that most requests ask no database. */
export interface Authenticator {
  /** @param secret of the session cookie. @returns undefined for one that is not valid any more */
  session(secret: string): Principal | undefined | Promise<Principal | undefined>;
  /** @param token `gty_…` */
  apiToken(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Who has no credential; undefined while the role `public` allows nothing. */
  anonymous(): Principal | undefined | Promise<Principal | undefined>;
  /** Forgets what was found: a change of users, sessions or tokens is effective at once in this process. */
  forget(): void;
}

/** A change that another process made is effective after this time at most. */
const keptMs = 4_000;
const maxKept = 10_000;

interface Found {
  readonly principal: Principal;
  readonly at: number;
}

export interface AuthenticatorOptions {
  readonly idleMinutes: number;
  readonly firstAdministrator: () => string | undefined;
  readonly roles: Pick<Roles, 'rightsOf' | 'refresh'>;
}

export function createAuthenticator(
  database: Pick<HostDatabase, 'query'>,
  { idleMinutes, firstAdministrator, roles }: AuthenticatorOptions,
): Authenticator {
  let kept = new Map<string, Found>();
  // By the secret itself, as a hash for each request would cost more than the rest. Memory has them anyway while requests arrive.
  const keptFor = (secret: string): Principal | undefined => {
    const found = kept.get(secret);
    return found !== undefined && performance.now() - found.at < keptMs ? found.principal : undefined;
  };
  const rightsOf = async (names: readonly string[], version: string): Promise<Rights> => {
    await roles.refresh(version);
    return roles.rightsOf(names);
  };
  const find = async (
    secret: string,
    read: (hash: string) => Promise<Principal | undefined>,
  ): Promise<Principal | undefined> => {
    const target = kept;
    const principal = await read(hashSecret(secret));
    target.delete(secret);
    if (target.size >= maxKept) target.clear();
    if (principal !== undefined) target.set(secret, { principal, at: performance.now() });
    return principal;
  };
  let anonymous: { readonly principal: Principal | undefined; readonly at: number } | undefined;
  const findAnonymous = async (): Promise<Principal | undefined> => {
    const target = kept;
    const [row] = await database.query({ sql: `SELECT ${rolesVersion}` });
    const rights = await rightsOf([publicRole], String(row?.[0]));
    const principal: Principal = { kind: 'public', id: publicRole, name: 'Public', login: '', rights };
    const found = rights.grants.length === 0 ? undefined : principal;
    if (target === kept) anonymous = { principal: found, at: performance.now() };
    return found;
  };
  return {
    anonymous: () =>
      anonymous !== undefined && performance.now() - anonymous.at < keptMs ? anonymous.principal : findAnonymous(),
    session: (secret) =>
      keptFor(secret) ??
      find(secret, (hash) => readSession({ database, rightsOf, idleMinutes, firstAdministrator }, hash)),
    apiToken(token) {
      const known = keptFor(token);
      if (known !== undefined || publicIdOf(token) === undefined) return known;
      return find(token, (hash) => readToken({ database, rightsOf }, hash));
    },
    forget: () => {
      // Reads under way end in the old map.
      kept = new Map();
      anonymous = undefined;
    },
  };
}

/**
 * Writes down that a credential is in use, once a minute. Apart from reading it: on a database that can only be read for a while,
 * sessions go on.
 */
function touch(database: Pick<HostDatabase, 'query'>, sql: string, id: string): void {
  database.query({ sql, values: [id] }).catch(() => undefined);
}

interface Reading {
  readonly database: Pick<HostDatabase, 'query'>;
  readonly rightsOf: (roles: readonly string[], version: string) => Promise<Rights>;
}

type SessionReading = Reading & Pick<AuthenticatorOptions, 'idleMinutes' | 'firstAdministrator'>;

async function readSession(
  { database, rightsOf, idleMinutes, firstAdministrator }: SessionReading,
  hash: string,
): Promise<Principal | undefined> {
  const [row] = await database.query({
    sql: `SELECT s.id::text, u.id::text, u.display_name, u.login, u.roles, s.last_seen_at < now() - interval '1 minute',
        ${rolesVersion}
      FROM gantry_session s JOIN gantry_user u ON u.id = s.user_id
      WHERE s.token_hash = $1 AND s.expires_at > now() AND u.is_enabled
        AND s.last_seen_at > now() - make_interval(mins => $2)`,
    values: [hash, idleMinutes],
  });
  if (row === undefined) return undefined;
  const [sessionId, id, name, login, roles, isStale, version] = row as readonly [
    string,
    string,
    string,
    string,
    readonly string[],
    boolean,
    string,
  ];
  // The idle time counts from there.
  if (isStale) touch(database, 'UPDATE gantry_session SET last_seen_at = now() WHERE id = $1', sessionId);
  return {
    ...{ kind: 'person', id, name, login, rights: await rightsOf(roles, version), sessionId },
    ...(id === firstAdministrator() ? { succeedsLocal: true } : {}),
  };
}

async function readToken({ database, rightsOf }: Reading, hash: string): Promise<Principal | undefined> {
  const [row] = await database.query({
    sql: `SELECT t.public_id, u.id::text, u.display_name, u.login, u.kind, u.roles, t.roles, t.manages_accounts,
        t.last_used_at IS NULL OR t.last_used_at < now() - interval '1 minute',
        ${rolesVersion}
      FROM gantry_api_token t JOIN gantry_user u ON u.id = t.user_id
      WHERE t.token_hash = $1 AND t.expires_at > now() AND u.is_enabled`,
    values: [hash],
  });
  if (row === undefined) return undefined;
  const [tokenId, id, name, login, kind, roles, limitedTo, managesAccounts, isStale, version] = row as readonly [
    string,
    string,
    string,
    string,
    'person' | 'service',
    readonly string[],
    readonly string[] | null,
    boolean,
    boolean,
    string,
  ];
  if (isStale) touch(database, 'UPDATE gantry_api_token SET last_used_at = now() WHERE public_id = $1', tokenId);
  return {
    ...{ kind, id, name, login, rights: await rightsOf(rolesOfToken(limitedTo, roles), version), tokenId },
    ...(managesAccounts ? { managesAccounts } : {}),
  };
}

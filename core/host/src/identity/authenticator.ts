import type { HostDatabase } from '../database';
import { hashSecret, publicIdOf } from './secrets';

/** Who makes a request. */
export interface Principal {
  /** `local`: a user of this machine, on an open platform or with the token of its home. */
  readonly kind: 'local' | 'person' | 'service';
  /** `local`, or the id of the user. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** Set for a browser that is signed in. */
  readonly sessionId?: string;
  /** Set for a client with an API token. */
  readonly tokenId?: string;
  /** Set for the first administrator, to whom belongs what was stored before sign-in was switched on. */
  readonly succeedsLocal?: true;
}

/** Finds who has a credential. What it finds is kept for a few seconds, so that most requests ask no database. */
export interface Authenticator {
  /** @param secret of the session cookie. @returns undefined for one that is not valid any more */
  session(secret: string): Principal | undefined | Promise<Principal | undefined>;
  /** @param token `gty_…` */
  apiToken(token: string): Principal | undefined | Promise<Principal | undefined>;
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

export function createAuthenticator(
  database: Pick<HostDatabase, 'query'>,
  idleMinutes: number,
  firstAdministrator: () => string | undefined,
): Authenticator {
  let kept = new Map<string, Found>();
  // By the secret itself, as a hash for each request would cost more than the rest. Memory has them anyway while requests arrive.
  const keptFor = (secret: string): Principal | undefined => {
    const found = kept.get(secret);
    return found !== undefined && performance.now() - found.at < keptMs ? found.principal : undefined;
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
  return {
    session: (secret) =>
      keptFor(secret) ?? find(secret, (hash) => readSession(database, hash, idleMinutes, firstAdministrator())),
    apiToken(token) {
      const known = keptFor(token);
      if (known !== undefined || publicIdOf(token) === undefined) return known;
      return find(token, (hash) => readToken(database, hash));
    },
    forget: () => {
      // What is being read now goes into the old map.
      kept = new Map();
    },
  };
}

/** Also writes down that the session is in use, once a minute: the idle time counts from there. */
async function readSession(
  database: Pick<HostDatabase, 'query'>,
  hash: string,
  idleMinutes: number,
  firstAdministrator: string | undefined,
): Promise<Principal | undefined> {
  const [row] = await database.query({
    sql: `WITH found AS (
        SELECT s.id, u.id AS user_id, u.display_name, u.roles, s.last_seen_at
        FROM gantry_session s JOIN gantry_user u ON u.id = s.user_id
        WHERE s.token_hash = $1 AND s.expires_at > now() AND u.is_enabled
          AND s.last_seen_at > now() - make_interval(mins => $2)),
      touched AS (
        UPDATE gantry_session s SET last_seen_at = now() FROM found f
        WHERE s.id = f.id AND f.last_seen_at < now() - interval '1 minute')
      SELECT id::text, user_id::text, display_name, roles FROM found`,
    values: [hash, idleMinutes],
  });
  if (row === undefined) return undefined;
  const [sessionId, id, name, roles] = row as readonly [string, string, string, readonly string[]];
  return {
    ...{ kind: 'person', id, name, roles, sessionId },
    ...(id === firstAdministrator ? { succeedsLocal: true } : {}),
  };
}

async function readToken(database: Pick<HostDatabase, 'query'>, hash: string): Promise<Principal | undefined> {
  const [row] = await database.query({
    sql: `WITH found AS (
        SELECT t.id, t.public_id, u.id AS user_id, u.display_name, u.kind, u.roles, t.last_used_at
        FROM gantry_api_token t JOIN gantry_user u ON u.id = t.user_id
        WHERE t.token_hash = $1 AND t.expires_at > now() AND u.is_enabled),
      touched AS (
        UPDATE gantry_api_token t SET last_used_at = now() FROM found f
        WHERE t.id = f.id AND (f.last_used_at IS NULL OR f.last_used_at < now() - interval '1 minute'))
      SELECT public_id, user_id::text, display_name, kind, roles FROM found`,
    values: [hash],
  });
  if (row === undefined) return undefined;
  const [tokenId, id, name, kind, roles] = row as readonly [
    string,
    string,
    string,
    'person' | 'service',
    readonly string[],
  ];
  return { kind, id, name, roles, tokenId };
}

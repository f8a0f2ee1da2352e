import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { lockAccounts } from './account-changes';
import { createAccounts, type Accounts, type AccountsOptions } from './accounts';
import { rolesOfToken } from '../tokens/api-tokens';
import { recordEvent } from '../audit';
import type { AuditedChange, AuditEntry, ChangeAuthor, Principal, Rights } from '@gantry/core-http/ports';
import { rightsViewedAs, type Roles } from '../roles/roles';
import { administrator } from './user-input';

/** Collaborators of a change, all in one transaction. */
export interface RecordedChange extends Accounts, AuditedChange {}

/** The same, with the rights of its author as the transaction sees them. */
export interface AccountChange extends RecordedChange {
  readonly rights: Rights;
}

/** Runs work and what the audit log says about it in one transaction: there is never one without the other. */
export async function recordTogether<T>(
  database: Database,
  options: AccountsOptions,
  { actor, address, principal }: ChangeAuthor,
  work: (change: RecordedChange) => Promise<T>,
): Promise<T> {
  return database.transaction((transaction) =>
    work({
      ...createAccounts(transaction, options),
      ...{ actor, transaction },
      record: (event) =>
        recordEvent(transaction, { actor, address, ...event, detail: { ...event.detail, ...meansOf(principal) } }),
    }),
  );
}

/** By which the author acts, where that is not simply a session. */
function meansOf(principal: Principal | undefined): AuditEntry['detail'] {
  const { tokenId, viewsAs } = principal ?? {};
  return {
    ...(tokenId === undefined ? {} : { byToken: tokenId }),
    ...(viewsAs === undefined ? {} : { viewsAs }),
  };
}

/**
 * Runs one change of users, roles or credentials. A principal is kept for some
 * seconds, and what the change makes may last for years: its credential and its rights are read again, under the lock that all such
 * changes wait for.
 * @throws GantryError UNAUTHENTICATED when the credential has ended, PresenceRequired, and what `needs` throws
 */
export async function changeAccounts<T>(
  database: Database,
  options: AccountsOptions,
  author: ChangeAuthor,
  work: (change: AccountChange) => Promise<T>,
): Promise<T> {
  return recordTogether(database, options, author, async (recorded) => {
    const { transaction } = recorded;
    await lockAccounts(transaction);
    const rights = await rightsNow(transaction, recorded.roles, options, author.principal);
    author.needs?.(rights);
    const { sessionId } = author.principal ?? {};
    if (author.needsPresence === true && sessionId !== undefined) await recorded.presence.assertProven(sessionId);
    return work({ ...recorded, rights });
  });
}

/** @throws GantryError UNAUTHENTICATED */
async function rightsNow(
  transaction: Database,
  roles: Roles,
  { sessions: { idleMinutes } }: AccountsOptions,
  principal: Principal | undefined,
): Promise<Rights> {
  await roles.reload();
  if (principal === undefined || principal.kind === 'local') return roles.rightsOf([administrator]);
  const names = await rolesNow(transaction, idleMinutes, principal);
  if (names === undefined) {
    throw new GantryError('UNAUTHENTICATED', 'The credential of the request has ended. Sign in again.');
  }
  return rightsViewedAs(roles, roles.rightsOf(names), principal.viewsAs);
}

/** @returns undefined for a credential that has ended */
async function rolesNow(
  transaction: Database,
  idleMinutes: number,
  { id, sessionId, tokenId }: Principal,
): Promise<readonly string[] | undefined> {
  // Locked: a session that is ended meanwhile ends after the change.
  const [row] =
    tokenId === undefined
      ? await transaction.query<CredentialRow>(
          `SELECT u.roles, NULL AS "limitedTo" FROM gantry_session s JOIN gantry_user u ON u.id = s.user_id
           WHERE s.id = $1 AND u.id = $2 AND u.is_enabled AND s.expires_at > now()
             AND s.last_seen_at > now() - make_interval(mins => $3) FOR SHARE OF s, u`,
          [sessionId ?? null, id, idleMinutes],
        )
      : await transaction.query<CredentialRow>(
          `SELECT u.roles, t.roles AS "limitedTo" FROM gantry_api_token t JOIN gantry_user u ON u.id = t.user_id
           WHERE t.public_id = $1 AND u.id = $2 AND u.is_enabled AND t.expires_at > now() FOR SHARE OF t, u`,
          [tokenId, id],
        );
  return row && rolesOfToken(row.limitedTo, row.roles);
}

interface CredentialRow {
  readonly roles: readonly string[];
  readonly limitedTo: readonly string[] | null;
}

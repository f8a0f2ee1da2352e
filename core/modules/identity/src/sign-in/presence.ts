import { PresenceRequired, presentMinutes } from '@gantry/core-http/ports';
import type { PresenceProof } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { isOfProviderSql } from '../accounts/account-changes';

/** Whether the person of a session is there, and not only the session. */
export interface Presence {
  /** @throws PresenceRequired, GantryError UNAUTHENTICATED for a session that has ended */
  assertProven(sessionId: string): Promise<void>;
  /** By what the person of a session can prove it. @throws GantryError UNAUTHENTICATED */
  proofs(sessionId: string): Promise<readonly PresenceProof[]>;
  /** Notes a proof. @returns ISO 8601, until when it counts. @throws GantryError UNAUTHENTICATED */
  prove(sessionId: string): Promise<string>;
}

export function createPresence(database: Database): Presence {
  const read = async (sessionId: string): Promise<PresenceRow> => {
    const [row] = await database.query<PresenceRow>(select, [sessionId, presentMinutes]);
    return row ?? hasEnded();
  };
  return {
    async assertProven(sessionId) {
      const row = await read(sessionId);
      if (!row.isProven) throw new PresenceRequired({ proofs: proofsOf(row) });
    },
    proofs: async (sessionId) => proofsOf(await read(sessionId)),
    async prove(sessionId) {
      const [row] = await database.query<{ readonly until: Date }>(
        `UPDATE gantry_session SET presence_at = now() WHERE id = $1 AND expires_at > now()
         RETURNING presence_at + make_interval(mins => $2) AS until`,
        [sessionId, presentMinutes],
      );
      return row?.until.toISOString() ?? hasEnded();
    },
  };
}

interface PresenceRow {
  readonly isProven: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly hasApp: boolean;
  readonly isOfProvider: boolean;
}

const select = `SELECT coalesce(s.presence_at > now() - make_interval(mins => $2), false) AS "isProven",
    u.password_hash IS NOT NULL AS "hasPassword",
    EXISTS (SELECT FROM gantry_passkey k WHERE k.user_id = u.id) AS "hasPasskey",
    EXISTS (SELECT FROM gantry_totp t WHERE t.user_id = u.id AND t.is_confirmed) AS "hasApp",
    ${isOfProviderSql} AS "isOfProvider"
  FROM gantry_session s JOIN gantry_user u ON u.id = s.user_id WHERE s.id = $1`;

function proofsOf({ hasPassword, hasPasskey, hasApp, isOfProvider }: PresenceRow): readonly PresenceProof[] {
  return [
    ...(hasPassword ? (['password'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasApp ? (['authenticator-app'] as const) : []),
    ...(hasPasskey || hasApp ? (['recovery-code'] as const) : []),
    ...(isOfProvider ? (['identity-provider'] as const) : []),
  ];
}

function hasEnded(): never {
  throw new GantryError('UNAUTHENTICATED', 'The session has ended. Sign in again.');
}

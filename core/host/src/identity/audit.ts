import type { Database } from '@gantry/plugin-api';

/** Something that concerns the security of the platform. */
export interface AuditEntry {
  /** `local`, `user:12`, `system`, or the login of a sign-in that was refused. */
  readonly actor: string;
  /** For example `sign-in`, `sign-in-refused`, `user-created`. */
  readonly action: string;
  /** What it concerns, for example `user:12`. */
  readonly subject: string;
  /** Network address of the client; empty for a command. */
  readonly address: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface AuditEvent extends Required<AuditEntry> {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** How often it happened in its minute; more than 1 for refusals only. */
  readonly count: number;
}

export interface AuditQuery {
  readonly limit: number;
  /** Id of the event before which (older) the answer begins. */
  readonly before?: string;
}

/** The log of what concerns security. Changes of items are not part of it. */
export interface Audit {
  record(entry: AuditEntry): Promise<void>;
  /** Counts refusals of one minute and address in one event, so that a flood of them does not fill the disk. */
  recordRefusal(entry: AuditEntry): Promise<void>;
  /** The latest first. */
  list(query: AuditQuery): Promise<readonly AuditEvent[]>;
}

interface EventRow extends Omit<AuditEvent, 'at'> {
  readonly at: Date;
}

const insert = `INSERT INTO gantry_audit_event (actor, action, subject, address, detail)`;

export function createAudit(database: Database): Audit {
  return {
    record: async ({ actor, action, subject, address, detail = {} }) =>
      void (await database.query(`${insert} VALUES ($1, $2, $3, $4, $5::jsonb)`, [
        ...[actor, action, subject, address],
        JSON.stringify(detail),
      ])),
    recordRefusal: async ({ actor, action, subject, address, detail = {} }) =>
      void (await database.query(
        `WITH counted AS (
           UPDATE gantry_audit_event SET count = count + 1
           WHERE id = (SELECT id FROM gantry_audit_event
                       WHERE at >= date_trunc('minute', now()) AND action = $2 AND address = $4 LIMIT 1)
           RETURNING id)
         ${insert} SELECT $1, $2, $3, $4, $5::jsonb WHERE NOT EXISTS (SELECT FROM counted)`,
        [...[actor, action, subject, address], JSON.stringify(detail)],
      )),
    async list({ limit, before }) {
      const rows = await database.query<EventRow>(
        `SELECT id, at, actor, action, subject, address, count, detail FROM gantry_audit_event
         WHERE $2::bigint IS NULL OR id < $2 ORDER BY id DESC LIMIT $1`,
        [limit, before ?? null],
      );
      return rows.map(({ at, ...row }) => ({ ...row, id: String(row.id), at: at.toISOString() }));
    },
  };
}

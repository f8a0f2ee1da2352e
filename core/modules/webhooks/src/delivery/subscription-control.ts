import type { Database } from '@gantry/plugin-api';
import { formatPosition, type Position } from '@gantry/core-database';
import type { DeliveryAttempt, GivenUpChange, SubscriptionState } from '../sending/webhook-schemas';

/** Actions on any subscription, by its id in the database. */
export interface SubscriptionControl {
  setState(id: string, state: SubscriptionState): Promise<void>;
  /** Delivers again what follows the position. */
  replay(id: string, position: Position): Promise<void>;
  /** Puts undelivered changes among those that wait; all of them unless ids are given. */
  retry(id: string, changes?: readonly string[]): Promise<void>;
  /** Removes undelivered changes from their list; all of them unless ids are given. */
  discard(id: string, changes?: readonly string[]): Promise<void>;
  attempts(id: string, limit: number, before: string | undefined): Promise<LogPage<DeliveryAttempt>>;
  undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<GivenUpChange>>;
}

export interface LogPage<T> {
  readonly rows: readonly T[];
  /** Id before which the next page begins. */
  readonly nextBefore: string | undefined;
}

export function createSubscriptionControl(database: Database): SubscriptionControl {
  return {
    async setState(id, state) {
      await database.query(
        `UPDATE gantry_subscription SET state = $2, revision = revision + 1, failing_since = NULL,
           gap_since = CASE WHEN $2 = 'active' THEN NULL ELSE gap_since END WHERE id = $1`,
        [id, state],
      );
      // Somebody who resumes it does not want to wait for the next attempt.
      if (state === 'active') {
        await database.query('UPDATE gantry_waiting_change SET due_at = now() WHERE subscription_id = $1', [id]);
      }
    },
    async replay(id, [epoch, transaction, sequence]) {
      await database.query(
        `WITH s AS (
           UPDATE gantry_subscription SET epoch = $2, transaction_id = $3, sequence = $4, lease = lease + 1, run_until = NULL, gap_since = NULL
           WHERE id = $1)
         DELETE FROM gantry_waiting_change WHERE subscription_id = $1 AND (epoch, transaction_id, sequence) > ($2::integer, $3::bigint, $4::bigint)`,
        [id, epoch, transaction, sequence],
      );
    },
    async retry(id, changes) {
      await database.query(
        `WITH s AS (UPDATE gantry_subscription SET revision = revision + 1 WHERE id = $1),
         u AS (DELETE FROM gantry_undelivered_change WHERE subscription_id = $1 AND ($2::bigint[] IS NULL OR id = ANY ($2)) RETURNING *)
         INSERT INTO gantry_waiting_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, due_at, error)
         SELECT subscription_id, epoch, transaction_id, sequence, item, attempts, now(), now(), error FROM u
         ON CONFLICT DO NOTHING`,
        [id, changes ?? null],
      );
    },
    async discard(id, changes) {
      await database.query(
        'DELETE FROM gantry_undelivered_change WHERE subscription_id = $1 AND ($2::bigint[] IS NULL OR id = ANY ($2))',
        [id, changes ?? null],
      );
    },
    async attempts(id, limit, before) {
      const rows = await database.query<AttemptRow>(
        `SELECT id, at, item AS subject, epoch, transaction_id, sequence, attempt, is_delivered AS delivered, status,
           duration_ms AS "durationMs", error, answer
         FROM gantry_delivery WHERE subscription_id = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $2`,
        [id, limit, before ?? null],
      );
      return pageOf(rows, limit, ({ at, ...row }) => ({ ...withPosition(row), at: at.toISOString() }));
    },
    async undelivered(id, limit, before) {
      const rows = await database.query<GivenUpRow>(
        `SELECT id, item AS subject, epoch, transaction_id, sequence, attempts, since, given_up_at AS "givenUpAt", error
         FROM gantry_undelivered_change WHERE subscription_id = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $2`,
        [id, limit, before ?? null],
      );
      return pageOf(rows, limit, ({ since, givenUpAt, ...row }) => ({
        ...withPosition(row),
        since: since.toISOString(),
        givenUpAt: givenUpAt.toISOString(),
      }));
    },
  };
}

interface PositionRow {
  readonly id: string;
  readonly epoch: number;
  readonly transaction_id: string;
  readonly sequence: string;
  readonly subject: string;
}

interface AttemptRow extends PositionRow, Omit<DeliveryAttempt, 'at' | 'position' | 'id' | 'subject'> {
  readonly at: Date;
}

interface GivenUpRow extends PositionRow, Pick<GivenUpChange, 'attempts' | 'error'> {
  readonly since: Date;
  readonly givenUpAt: Date;
}

function pageOf<R extends PositionRow, T>(rows: readonly R[], limit: number, of: (row: R) => T): LogPage<T> {
  return { rows: rows.map(of), nextBefore: rows.length < limit ? undefined : rows.at(-1)?.id };
}

function withPosition<R extends PositionRow>({
  epoch,
  transaction_id: transaction,
  sequence,
  ...row
}: R): Omit<R, 'epoch' | 'transaction_id' | 'sequence'> & { readonly position: string } {
  return { ...row, position: formatPosition([String(epoch), transaction, sequence]) };
}

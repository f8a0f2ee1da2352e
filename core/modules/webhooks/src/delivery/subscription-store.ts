import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@gantry/plugin-api';
import { compareTypes, type StoredTypes, type TypesInUse } from './absent-types';
import type { ScheduleChanges, WaitingChange } from './delivery-schedule';
import { changesOfTables, type Position } from '@gantry/core-database';
import type { SubscriptionState } from '../sending/webhook-schemas';

/** With which a host delivers a subscription, until another one takes it over. */
export interface Claim {
  readonly lease: string;
  readonly cursor: Position;
  readonly waiting: readonly WaitingChange[];
}

/** One attempt, for the log. */
export interface LoggedAttempt {
  readonly position: Position;
  readonly item: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly attempt: number;
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly answer: string | null;
}

/** How the receiver does. */
export interface ReceiverState {
  /** Null while too few attempts were made to say: then it stays as it was stored. */
  readonly isFailing: boolean | null;
  readonly lastError: string | null;
  readonly hasDelivered: boolean;
}

/** A subscription as the engine looks at it once a second. */
export interface KnownSubscription {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly state: SubscriptionState;
  readonly lease: string;
  /** Another one when what or how it delivers was changed. */
  readonly revision: string;
  /** Type codes that a webhook is about; empty for all. Undefined for one of a plugin. */
  readonly types: readonly string[] | undefined;
  readonly cursor: Position;
  /** Whether a host delivers it now. */
  readonly isRunning: boolean;
  /** Whether something waits for another attempt. */
  readonly isWaiting: boolean;
  /** Its display name. */
  readonly label: string;
  readonly isFailing: boolean;
  readonly lastError: string | null;
  readonly gapSince: Date | null;
  /** Of types that are not in use, or were not when it was last delivered. */
  readonly absentTables: readonly string[];
}

export interface SubscriptionStore {
  list(): Promise<readonly KnownSubscription[]>;
  /**
   * Takes it over from the host that delivers it. What was not read while a type was not in use, and is now, waits afterwards.
   * @returns undefined when it is paused or does not exist
   */
  claim(id: string, types: TypesInUse): Promise<Claim | undefined>;
  /** Stores all of it or nothing. @returns false when somebody else has taken it over */
  store(id: string, lease: string, progress: Progress): Promise<boolean>;
  /** Nobody delivers it any more, for now. */
  release(id: string, lease: string): Promise<void>;
  /** Creates the subscription of a plugin, at a position, unless it exists. @returns its id */
  ensure(name: string, position: Position, types: Pick<TypesInUse, 'wanted'>): Promise<string>;
}

export interface Progress {
  readonly changes: ScheduleChanges | undefined;
  readonly attempts: readonly LoggedAttempt[];
  readonly receiver: ReceiverState;
}

/** Seconds after which another host takes a subscription over that none of them stores progress of. */
const leaseSeconds = 15;
/** Attempts that the log of a subscription keeps. */
const keptAttempts = 1_000;
/** Rows are removed from the log once for so many that were added, on average. */
const trimChance = 1 / 20;

export function createSubscriptionStore(database: Database): SubscriptionStore {
  return {
    async list() {
      const rows = await database.query<ListRow>(listSql);
      return rows.map(({ epoch, transaction_id: transaction, sequence, ...row }) => ({
        ...row,
        types: row.types ?? undefined,
        cursor: positionOf(epoch, transaction, sequence),
      }));
    },
    async claim(id, types) {
      const [row] = await database.query<ClaimRow>(
        `UPDATE gantry_subscription SET lease = lease + 1, run_until = now() + make_interval(secs => ${leaseSeconds})
         WHERE id = $1 AND state = 'active'
         RETURNING lease, epoch, transaction_id, sequence, read_tables AS "readTables", absent_tables AS "absentTables"`,
        [id],
      );
      if (row === undefined) return undefined;
      await storeTypes(database, id, row, types);
      const waiting = await database.query<WaitingRow>(
        `SELECT epoch, transaction_id, sequence, item, attempts, since, due_at, error FROM gantry_waiting_change
         WHERE subscription_id = $1 ORDER BY epoch, transaction_id, sequence`,
        [id],
      );
      const { lease, epoch, transaction_id: transaction, sequence } = row;
      return { lease, cursor: positionOf(epoch, transaction, sequence), waiting: waiting.map(waitingOf) };
    },
    async store(id, lease, { changes, attempts, receiver }) {
      const isTrimmed = attempts.length > 0 && Math.random() < attempts.length * trimChance;
      const [row] = await database.query<{ readonly id: string }>(storeSql, [
        ...[id, lease, ...(changes?.cursor ?? [null, null, null])],
        JSON.stringify((changes?.waiting ?? []).map(waitingColumns)),
        JSON.stringify((changes?.settled ?? []).map(positionColumns)),
        JSON.stringify((changes?.givenUp ?? []).map(waitingColumns)),
        JSON.stringify(attempts.map(attemptColumns)),
        ...[receiver.isFailing, receiver.lastError, receiver.hasDelivered],
      ]);
      if (isTrimmed) await database.query(trimSql, [id]);
      return row !== undefined;
    },
    async release(id, lease) {
      await database.query('UPDATE gantry_subscription SET run_until = NULL WHERE id = $1 AND lease = $2', [id, lease]);
    },
    async ensure(name, [epoch, transaction, sequence], { wanted }) {
      const [row] = await database.query<{ readonly id: string }>(
        `WITH added AS (
           INSERT INTO gantry_subscription (kind, name, epoch, transaction_id, sequence, read_tables) VALUES ('plugin', $1, $2, $3, $4, $5)
           ON CONFLICT (name) DO NOTHING RETURNING id)
         SELECT id FROM added UNION ALL SELECT id FROM gantry_subscription WHERE name = $1`,
        [name, epoch, transaction, sequence, [...wanted.keys()].toSorted()],
      );
      if (row === undefined) throw new Error(`The subscription ${name} was removed meanwhile.`);
      return row.id;
    },
  };
}

const typesSql =
  'UPDATE gantry_subscription SET read_tables = $3, absent_tables = $4::jsonb WHERE id = $1 AND lease = $2';

const missedSql = `WITH held AS (${typesSql} RETURNING id, epoch, transaction_id, sequence)
INSERT INTO gantry_waiting_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, due_at)
SELECT held.id, c.epoch, c.transaction_id, c.sequence, c.item, 0, now(), now()
FROM held CROSS JOIN LATERAL (${changesOfTables('$5', 'held')}) c
ON CONFLICT DO NOTHING`;

async function storeTypes(database: Database, id: string, row: ClaimRow, types: TypesInUse): Promise<void> {
  const { lease, epoch, transaction_id: transaction, sequence } = row;
  const stored = { readTables: row.readTables ?? [], absentTables: row.absentTables ?? {} };
  const { readTables, absentTables, missed } = compareTypes(stored, positionOf(epoch, transaction, sequence), types);
  const next = [id, lease, readTables, JSON.stringify(absentTables)];
  if (missed.length > 0) {
    const found = missed.map(({ table, type, after }) => ({ item_table: table, type, ...positionColumns(after) }));
    await database.query(missedSql, [...next, JSON.stringify(found)]);
  } else if (!isDeepStrictEqual(stored, { readTables, absentTables })) await database.query(typesSql, next);
}

interface ListRow extends Pick<
  KnownSubscription,
  | 'id'
  | 'kind'
  | 'name'
  | 'state'
  | 'lease'
  | 'revision'
  | 'isRunning'
  | 'isWaiting'
  | 'label'
  | 'isFailing'
  | 'lastError'
  | 'gapSince'
  | 'absentTables'
> {
  readonly types: readonly string[] | null;
  readonly epoch: number;
  readonly transaction_id: string;
  readonly sequence: string;
}

const listSql = `SELECT s.id, s.kind, s.name, s.state, s.lease, s.revision, w.types, s.epoch, s.transaction_id, s.sequence,
    coalesce(w.name, s.name) AS label, s.failing_since IS NOT NULL AS "isFailing", s.last_error AS "lastError",
    s.gap_since AS "gapSince",
    ARRAY(SELECT jsonb_object_keys(coalesce(s.absent_tables, '{}'))) AS "absentTables", coalesce(s.run_until > now(), false) AS "isRunning",
    EXISTS (SELECT FROM gantry_waiting_change c WHERE c.subscription_id = s.id) AS "isWaiting"
  FROM gantry_subscription s LEFT JOIN gantry_webhook w ON w.subscription_id = s.id ORDER BY s.id`;

interface ClaimRow {
  readonly lease: string;
  readonly readTables: readonly string[] | null;
  readonly absentTables: StoredTypes['absentTables'] | null;
  readonly epoch: number;
  readonly transaction_id: string;
  readonly sequence: string;
}

interface WaitingRow extends Omit<ClaimRow, 'lease' | 'readTables' | 'absentTables'> {
  readonly item: string;
  readonly attempts: number;
  readonly since: Date;
  readonly due_at: Date;
  readonly error: string | null;
}

function waitingOf({
  epoch,
  transaction_id: transaction,
  sequence,
  item,
  attempts,
  since,
  due_at: dueAt,
  error,
}: WaitingRow) {
  return {
    ...{ position: positionOf(epoch, transaction, sequence), item, attempts, error },
    since: since.getTime(),
    // A change without an attempt waits for the one before it.
    dueAt: attempts === 0 ? 0 : dueAt.getTime(),
  };
}

function positionOf(epoch: number, transaction: string, sequence: string): Position {
  return [String(epoch), transaction, sequence];
}

const changeColumns = 'epoch integer, transaction_id bigint, sequence bigint';
const waitingType = `${changeColumns}, item text, attempts integer, since timestamptz, due_at timestamptz, error text`;

/** One statement, so that it is one round trip and all or nothing. */
const storeSql = `WITH held AS (
  UPDATE gantry_subscription SET
    epoch = coalesce($3::integer, epoch), transaction_id = coalesce($4::bigint, transaction_id), sequence = coalesce($5::bigint, sequence),
    run_until = now() + make_interval(secs => ${leaseSeconds}),
    failing_since = CASE WHEN $10::boolean THEN coalesce(failing_since, now()) WHEN NOT $10::boolean THEN NULL ELSE failing_since END,
    last_error = coalesce($11::text, last_error),
    last_delivered_at = CASE WHEN $12::boolean THEN now() ELSE last_delivered_at END
  WHERE id = $1 AND lease = $2 RETURNING id
), waiting AS (
  INSERT INTO gantry_waiting_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, due_at, error)
  SELECT held.id, r.* FROM held, jsonb_to_recordset($6::jsonb) AS r (${waitingType})
  ON CONFLICT (subscription_id, epoch, transaction_id, sequence)
  DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at, error = excluded.error
), settled AS (
  DELETE FROM gantry_waiting_change w USING held, jsonb_to_recordset($7::jsonb) AS r (${changeColumns})
  WHERE w.subscription_id = held.id AND (w.epoch, w.transaction_id, w.sequence) = (r.epoch, r.transaction_id, r.sequence)
), given_up AS (
  INSERT INTO gantry_undelivered_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, error)
  SELECT held.id, r.epoch, r.transaction_id, r.sequence, r.item, r.attempts, r.since, r.error
  FROM held, jsonb_to_recordset($8::jsonb) AS r (${waitingType})
  ON CONFLICT (subscription_id, epoch, transaction_id, sequence)
  DO UPDATE SET attempts = excluded.attempts, given_up_at = now(), error = excluded.error
), logged AS (
  INSERT INTO gantry_delivery
    (subscription_id, epoch, transaction_id, sequence, item, at, attempt, is_delivered, status, duration_ms, error, answer)
  SELECT held.id, r.* FROM held, jsonb_to_recordset($9::jsonb) AS r (${changeColumns}, item text, at timestamptz, attempt integer,
    is_delivered boolean, status integer, duration_ms integer, error text, answer text)
)
SELECT id FROM held`;

const trimSql = `DELETE FROM gantry_delivery WHERE subscription_id = $1 AND id <= (
  SELECT id FROM gantry_delivery WHERE subscription_id = $1 ORDER BY id DESC OFFSET ${keptAttempts} LIMIT 1)`;

function positionColumns([epoch, transaction, sequence]: Position) {
  return { epoch, transaction_id: transaction, sequence };
}

function waitingColumns({ position, item, attempts, since, dueAt, error }: WaitingChange) {
  const times = { since: new Date(since).toISOString(), due_at: new Date(dueAt).toISOString() };
  return { ...positionColumns(position), item, attempts, ...times, error: storable(error) };
}

function attemptColumns({
  position,
  item,
  at,
  attempt,
  isDelivered,
  status,
  durationMs,
  error,
  answer,
}: LoggedAttempt) {
  return {
    ...positionColumns(position),
    ...{ item, at: new Date(at).toISOString(), attempt, is_delivered: isDelivered, status },
    duration_ms: Math.round(durationMs),
    error: storable(error),
    answer: storable(answer),
  };
}

/** PostgreSQL has no text with the character of code 0. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '').toWellFormed();
}

import { type AuditEntry, type AuditSink, addressKey } from '@gantry/core-http/ports';
import type { Database, Logger } from '@gantry/plugin-api';

export interface AuditEvent extends Required<AuditEntry> {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Number of equal events in the same minute; more than 1 only for refusals and uses of the system scope. */
  readonly count: number;
  /** Display name of the actor, for a user that still exists. */
  readonly actorName?: string;
}

export interface AuditQuery {
  readonly limit: number;
  /** Id of the event before which (older) the answer begins. */
  readonly before?: string;
  /** Only events of this actor. */
  readonly actor?: string;
  /** Only events with this action. */
  readonly action?: string;
  /** Only events at this time or later. */
  readonly from?: Date;
  /** Only events before this time. */
  readonly to?: Date;
}

/** The log of what concerns security. Changes of items are not part of it. */
export interface Audit extends AuditSink {
  /**
   * Counts refusals of one minute, network, actor and subject in one event, and writes at most once a second for each, so that a flood of
   * them neither fills the disk nor occupies the database: of one action, a network has at most 20 events a minute, and all together have
   * 100. What is beyond is one event without subject, then without address. A refusal stays one when it cannot be written.
   */
  recordRefusal(entry: AuditEntry): Promise<void>;
  /** Counts, in the same way, how often a plugin acted with all rights in requests to one of its routes, the subject. */
  recordSystemScope(entry: AuditEntry): Promise<void>;
  /** The latest first. */
  list(query: AuditQuery): Promise<readonly AuditEvent[]>;
  close(): void;
}

interface EventRow extends Omit<AuditEvent, 'at' | 'actorName'> {
  readonly at: Date;
  readonly actor_name: string | null;
}

const select = `
  SELECT event.id, at, actor, action, subject, address, count, detail, actor_user.display_name AS actor_name
  FROM gantry_audit_event event LEFT JOIN gantry_user actor_user ON event.actor = 'user:' || actor_user.id
  WHERE ($2::bigint IS NULL OR event.id < $2)
    AND ($3::text IS NULL OR actor = $3)
    AND ($4::text IS NULL OR action = $4)
    AND ($5::timestamptz IS NULL OR at >= $5)
    AND ($6::timestamptz IS NULL OR at < $6)
  ORDER BY event.id DESC LIMIT $1`;

const countIntervalMs = 1_000;

/** Events of one action in a minute at most. */
interface EventLimits {
  /** With the same address; those that are counted together beyond it come on top. */
  readonly ofAddress: number;
  readonly ofAll: number;
}

const refusalLimits: EventLimits = { ofAddress: 20, ofAll: 100 };
/** Routes of plugins: as many as there are. */
const useLimits: EventLimits = { ofAddress: 1_000, ofAll: 1_000 };

export function createAudit(database: Database, logger: Logger): Audit {
  // Apart, so that a flood of refusals does not change how uses are counted.
  const refusals = countEvents(database, logger, refusalLimits);
  const uses = countEvents(database, logger, useLimits);
  return {
    record: (entry) => recordEvent(database, entry),
    recordRefusal: (entry) => refusals.add({ ...entry, address: addressKey(entry.address) }),
    recordSystemScope: (entry) => uses.add(entry),
    close() {
      refusals.close();
      uses.close();
    },
    async list(query) {
      const rows = await database.query<EventRow>(select, [
        query.limit,
        query.before ?? null,
        query.actor ?? null,
        query.action ?? null,
        query.from ?? null,
        query.to ?? null,
      ]);
      return rows.map(({ at, actor_name, ...row }) => ({
        ...row,
        id: String(row.id),
        at: at.toISOString(),
        ...(actor_name === null ? {} : { actorName: actor_name }),
      }));
    },
  };
}

/** @param database the transaction of what it is about, so that there is never one without the other */
export async function recordEvent(
  database: Database,
  { actor, action, subject, address, detail = {} }: AuditEntry,
): Promise<void> {
  await database.query(
    `INSERT INTO gantry_audit_event (actor, action, subject, address, detail) VALUES ($1, $2, $3, $4, $5::jsonb)`,
    [...[actor, action, subject, address], JSON.stringify(detail)],
  );
}

async function writeCounted(
  database: Database,
  { actor, action, subject, address, detail = {} }: AuditEntry,
  count: number,
): Promise<void> {
  await database.query(
    `WITH counted AS (
       UPDATE gantry_audit_event SET count = count + $6
       WHERE id = (SELECT id FROM gantry_audit_event
                   WHERE at >= date_trunc('minute', now()) AND actor = $1 AND action = $2 AND subject = $3
                     AND address = $4 LIMIT 1)
       RETURNING id)
     INSERT INTO gantry_audit_event (actor, action, subject, address, detail, count)
     SELECT $1, $2, $3, $4, $5::jsonb, $6 WHERE NOT EXISTS (SELECT FROM counted)`,
    [...[actor, action, subject, address], JSON.stringify(detail), count],
  );
}

interface CountedEvents {
  add(entry: AuditEntry): Promise<void>;
  close(): void;
}

/** The first event of a key is written at once; those of the second that follows it are counted and written together. */
function countEvents(database: Database, logger: Logger, limits: EventLimits): CountedEvents {
  const counts = new Map<string, { readonly entry: AuditEntry; count: number }>();
  const events = countKeys();
  let minute = minuteNow();
  const tryWrite = (entry: AuditEntry, count: number): Promise<void> =>
    writeCounted(database, entry, count).catch((error: unknown) =>
      logger.warn({ err: error }, 'an audit event could not be written'),
    );
  const flush = (): void => {
    for (const known of counts.values()) {
      if (known.count > 0) void tryWrite(known.entry, known.count);
      known.count = 0;
    }
    if (minute === minuteNow()) return;
    minute = minuteNow();
    counts.clear();
    events.clear();
  };
  const timer = setInterval(flush, countIntervalMs).unref();
  const hasRoom = (entry: AuditEntry, maxOfAddress: number): boolean => {
    const { action, address } = entry;
    if (counts.has(keyOf(entry))) return true;
    return events.of(action) < limits.ofAll && events.of(action, address) < maxOfAddress;
  };
  /** So many at once are more likely made up than accounts and clients. */
  const counted = (entry: AuditEntry): AuditEntry => {
    if (hasRoom(entry, limits.ofAddress)) return entry;
    const ofAddress = { ...entry, actor: 'anonymous', subject: '' };
    return hasRoom(ofAddress, Infinity) ? ofAddress : { ...ofAddress, address: '' };
  };
  return {
    async add(given) {
      const entry = counted(given);
      const key = keyOf(entry);
      const known = counts.get(key);
      if (known !== undefined) {
        known.count += 1;
        return;
      }
      counts.set(key, { entry, count: 0 });
      events.add(entry.action, entry.address);
      await tryWrite(entry, 1);
    },
    close() {
      clearInterval(timer);
      flush();
    },
  };
}

/** How many events an action has, and those of one address. */
function countKeys() {
  const counts = new Map<string, number>();
  const keyFor = (action: string, address?: string): string => JSON.stringify([action, address]);
  return {
    of: (action: string, address?: string): number => counts.get(keyFor(action, address)) ?? 0,
    add(action: string, address: string): void {
      for (const key of [keyFor(action), keyFor(action, address)]) counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    clear: () => counts.clear(),
  };
}

function minuteNow(): number {
  return Math.floor(Date.now() / 60_000);
}

function keyOf({ actor, action, subject, address }: AuditEntry): string {
  return JSON.stringify([actor, action, subject, address]);
}

import { randomBytes } from 'node:crypto';
import { GantryError, type Database } from '@gantry/plugin-api';
import type {
  DeliveredAction,
  SubscriptionState,
  UndeliveredChange,
  Webhook,
  WebhookCondition,
  WebhookDelivery,
} from '@gantry/contracts';
import type { SecretBox } from '../identity';
import { formatPosition, type Position } from '../content/changes/position';
import { contextOf } from './webhook-context';
import { webhookIdOf } from './webhook-event';

/** What an administrator says of a webhook. */
export interface WebhookInput {
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly actions: readonly DeliveredAction[];
  readonly filter: readonly WebhookCondition[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What a request needs. */
export interface WebhookTarget extends Omit<WebhookInput, 'headers'> {
  readonly subscriptionId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The present one first. */
  readonly secrets: readonly string[];
}

export interface LogPage<T> {
  readonly rows: readonly T[];
  /** Id before which the next page begins. */
  readonly nextBefore: string | undefined;
}

/** The webhooks that administrators have defined. */
export interface Webhooks {
  list(): Promise<readonly Webhook[]>;
  /** @throws GantryError NOT_FOUND, as all methods with an id do */
  get(id: string): Promise<Webhook>;
  /** @returns the webhook with its secret, which is shown once */
  create(input: WebhookInput, position: Position): Promise<Webhook & { readonly secret: string }>;
  update(id: string, change: Partial<WebhookInput>): Promise<Webhook>;
  remove(id: string): Promise<Webhook>;
  /** Makes another secret; requests are signed with both for a day. */
  rotateSecret(id: string): Promise<Webhook & { readonly secret: string }>;
  setState(id: string, state: SubscriptionState): Promise<Webhook>;
  /** Delivers again what follows the position. */
  replay(id: string, position: Position): Promise<Webhook>;
  /** Puts all undelivered changes among those that wait. @returns how many */
  retry(id: string): Promise<number>;
  log(id: string, limit: number, before: string | undefined): Promise<LogPage<WebhookDelivery>>;
  undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<UndeliveredChange>>;
  /** Undefined when it was removed. */
  target(id: string): Promise<WebhookTarget | undefined>;
  /** The id of its subscription. */
  subscriptionOf(id: string): Promise<string>;
}

const idPattern = /^wh_[A-Za-z0-9_-]{16}$/;

const select = `SELECT s.name AS id, s.id AS "subscriptionId", w.name, w.url, w.types, w.actions, w.filter, w.header_names AS headers,
    w.created_at AS "createdAt", w.updated_at AS "updatedAt", s.state, s.epoch, s.transaction_id, s.sequence,
    s.failing_since AS "failingSince", s.last_error AS "lastError", s.last_delivered_at AS "lastDeliveredAt", s.gap_since AS "gapSince",
    CASE WHEN w.earlier_secret_until > now() THEN w.earlier_secret_until END AS "earlierSecretUntil",
    (SELECT count(*)::integer FROM gantry_waiting_change c WHERE c.subscription_id = s.id) AS waiting,
    (SELECT count(*)::integer FROM gantry_undelivered_change c WHERE c.subscription_id = s.id) AS undelivered
  FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id`;

interface WebhookRow extends Pick<
  Webhook,
  'id' | 'name' | 'url' | 'types' | 'actions' | 'filter' | 'headers' | 'state' | 'lastError' | 'waiting' | 'undelivered'
> {
  readonly subscriptionId: string;
  readonly epoch: number;
  readonly transaction_id: string;
  readonly sequence: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly failingSince: Date | null;
  readonly lastDeliveredAt: Date | null;
  readonly gapSince: Date | null;
  readonly earlierSecretUntil: Date | null;
}

export function createWebhooks(database: Database, box: SecretBox): Webhooks {
  return new StoredWebhooks(database, box);
}

class StoredWebhooks implements Webhooks {
  readonly #database: Database;
  readonly #box: SecretBox;

  constructor(database: Database, box: SecretBox) {
    this.#database = database;
    this.#box = box;
  }

  async list(): Promise<readonly Webhook[]> {
    return (await this.#database.query<WebhookRow>(`${select} ORDER BY w.name, s.id`)).map(present);
  }

  async get(id: string): Promise<Webhook> {
    return present(await this.#find(id));
  }

  async subscriptionOf(id: string): Promise<string> {
    return (await this.#find(id)).subscriptionId;
  }

  async create(
    input: WebhookInput,
    [epoch, transaction, sequence]: Position,
  ): Promise<Webhook & { readonly secret: string }> {
    const id = `wh_${randomBytes(12).toString('base64url')}`;
    const secret = createSecret();
    await this.#database.query(
      `WITH s AS (
         INSERT INTO gantry_subscription (kind, name, epoch, transaction_id, sequence) VALUES ('webhook', $1, $2, $3, $4) RETURNING id)
       INSERT INTO gantry_webhook (subscription_id, name, url, types, actions, filter, header_names, encrypted_headers, encrypted_secret)
       SELECT id, $5, $6, $7, $8, $9::jsonb, $10, $11, $12 FROM s`,
      [
        ...[id, epoch, transaction, sequence, input.name, input.url, input.types, input.actions],
        ...[JSON.stringify(input.filter), Object.keys(input.headers)],
        ...[sealHeaders(this.#box, id, input.headers), this.#box.seal(secret, contextOf(id))],
      ],
    );
    return { ...(await this.get(id)), secret };
  }

  async update(id: string, change: Partial<WebhookInput>): Promise<Webhook> {
    const subscriptionId = await this.subscriptionOf(id);
    const { headers } = change;
    await this.#database.query(
      `WITH s AS (UPDATE gantry_subscription SET revision = revision + 1 WHERE id = $1)
       UPDATE gantry_webhook SET name = coalesce($2, name), url = coalesce($3, url), types = coalesce($4, types),
         actions = coalesce($5, actions), filter = coalesce($6::jsonb, filter), header_names = coalesce($7, header_names),
         encrypted_headers = coalesce($8, encrypted_headers), updated_at = now() WHERE subscription_id = $1`,
      [
        ...[subscriptionId, change.name ?? null, change.url ?? null, change.types ?? null, change.actions ?? null],
        change.filter === undefined ? null : JSON.stringify(change.filter),
        ...(headers === undefined ? [null, null] : [Object.keys(headers), sealHeaders(this.#box, id, headers)]),
      ],
    );
    return this.get(id);
  }

  async remove(id: string): Promise<Webhook> {
    const webhook = await this.#find(id);
    await this.#database.query('DELETE FROM gantry_subscription WHERE id = $1', [webhook.subscriptionId]);
    return present(webhook);
  }

  async rotateSecret(id: string): Promise<Webhook & { readonly secret: string }> {
    const subscriptionId = await this.subscriptionOf(id);
    const secret = createSecret();
    await this.#database.query(
      `WITH s AS (UPDATE gantry_subscription SET revision = revision + 1 WHERE id = $1)
       UPDATE gantry_webhook SET encrypted_earlier_secret = encrypted_secret, earlier_secret_until = now() + interval '1 day',
         encrypted_secret = $2, updated_at = now() WHERE subscription_id = $1`,
      [subscriptionId, this.#box.seal(secret, contextOf(id))],
    );
    return { ...(await this.get(id)), secret };
  }

  async setState(id: string, state: SubscriptionState): Promise<Webhook> {
    const subscriptionId = await this.subscriptionOf(id);
    await this.#database.query(
      `UPDATE gantry_subscription SET state = $2, revision = revision + 1, failing_since = NULL,
         gap_since = CASE WHEN $2 = 'active' THEN NULL ELSE gap_since END WHERE id = $1`,
      [subscriptionId, state],
    );
    // Somebody who resumes it does not want to wait for the next attempt.
    if (state === 'active') {
      await this.#database.query('UPDATE gantry_waiting_change SET due_at = now() WHERE subscription_id = $1', [
        subscriptionId,
      ]);
    }
    return this.get(id);
  }

  async replay(id: string, [epoch, transaction, sequence]: Position): Promise<Webhook> {
    const subscriptionId = await this.subscriptionOf(id);
    await this.#database.query(
      `WITH s AS (
         UPDATE gantry_subscription SET epoch = $2, transaction_id = $3, sequence = $4, lease = lease + 1, run_until = NULL, gap_since = NULL
         WHERE id = $1)
       DELETE FROM gantry_waiting_change WHERE subscription_id = $1 AND (epoch, transaction_id, sequence) > ($2::integer, $3::bigint, $4::bigint)`,
      [subscriptionId, epoch, transaction, sequence],
    );
    return this.get(id);
  }

  async retry(id: string): Promise<number> {
    const subscriptionId = await this.subscriptionOf(id);
    const rows = await this.#database.query(
      `WITH s AS (UPDATE gantry_subscription SET revision = revision + 1 WHERE id = $1),
       u AS (DELETE FROM gantry_undelivered_change WHERE subscription_id = $1 RETURNING *)
       INSERT INTO gantry_waiting_change (subscription_id, epoch, transaction_id, sequence, item, attempts, since, due_at, error)
       SELECT subscription_id, epoch, transaction_id, sequence, item, attempts, now(), now(), error FROM u
       ON CONFLICT DO NOTHING RETURNING id`,
      [subscriptionId],
    );
    return rows.length;
  }

  async log(id: string, limit: number, before: string | undefined): Promise<LogPage<WebhookDelivery>> {
    const subscriptionId = await this.subscriptionOf(id);
    const rows = await this.#database.query<DeliveryRow>(
      `SELECT id, at, item AS subject, epoch, transaction_id, sequence, attempt, is_delivered AS delivered, status,
         duration_ms AS "durationMs", error, answer
       FROM gantry_delivery WHERE subscription_id = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $2`,
      [subscriptionId, limit, before ?? null],
    );
    return pageOf(rows, limit, ({ at, ...row }) => ({ ...withPosition(subscriptionId, row), at: at.toISOString() }));
  }

  async undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<UndeliveredChange>> {
    const subscriptionId = await this.subscriptionOf(id);
    const rows = await this.#database.query<UndeliveredRow>(
      `SELECT id, item AS subject, epoch, transaction_id, sequence, attempts, since, given_up_at AS "givenUpAt", error
       FROM gantry_undelivered_change WHERE subscription_id = $1 AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $2`,
      [subscriptionId, limit, before ?? null],
    );
    return pageOf(rows, limit, ({ since, givenUpAt, ...row }) => ({
      ...withPosition(subscriptionId, row),
      since: since.toISOString(),
      givenUpAt: givenUpAt.toISOString(),
    }));
  }

  async target(id: string): Promise<WebhookTarget | undefined> {
    const [row] = await this.#database.query<TargetRow>(
      `SELECT subscription_id AS "subscriptionId", w.name, url, types, actions, filter, encrypted_headers AS headers, encrypted_secret AS secret,
         CASE WHEN earlier_secret_until > now() THEN encrypted_earlier_secret END AS "earlierSecret"
       FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id WHERE s.name = $1`,
      [id],
    );
    if (row === undefined) return undefined;
    const { secret, earlierSecret, headers, ...rest } = row;
    const sealed = earlierSecret === null ? [secret] : [secret, earlierSecret];
    return {
      ...rest,
      headers: JSON.parse(this.#box.open(headers, contextOf(id))) as Record<string, string>,
      secrets: sealed.map((text) => this.#box.open(text, contextOf(id))),
    };
  }

  async #find(id: string): Promise<WebhookRow> {
    const [row] = idPattern.test(id) ? await this.#database.query<WebhookRow>(`${select} WHERE s.name = $1`, [id]) : [];
    if (row === undefined) throw notFound(id);
    return row;
  }
}

interface PositionRow {
  readonly id: string;
  readonly epoch: number;
  readonly transaction_id: string;
  readonly sequence: string;
  readonly subject: string;
}

interface DeliveryRow extends PositionRow, Omit<WebhookDelivery, 'at' | 'webhookId' | 'position' | 'id' | 'subject'> {
  readonly at: Date;
}

interface UndeliveredRow extends PositionRow, Pick<UndeliveredChange, 'attempts' | 'error'> {
  readonly since: Date;
  readonly givenUpAt: Date;
}

interface TargetRow extends Omit<WebhookTarget, 'headers' | 'secrets'> {
  readonly headers: string;
  readonly secret: string;
  readonly earlierSecret: string | null;
}

function pageOf<R extends PositionRow, T>(rows: readonly R[], limit: number, of: (row: R) => T): LogPage<T> {
  return { rows: rows.map(of), nextBefore: rows.length < limit ? undefined : rows.at(-1)?.id };
}

function withPosition<R extends PositionRow>(
  subscriptionId: string,
  { epoch, transaction_id: transaction, sequence, ...row }: R,
): Omit<R, 'epoch' | 'transaction_id' | 'sequence'> & { readonly position: string; readonly webhookId: string } {
  const position: Position = [String(epoch), transaction, sequence];
  return { ...row, position: formatPosition(position), webhookId: webhookIdOf(subscriptionId, position) };
}

function present({
  subscriptionId: _subscriptionId,
  epoch,
  transaction_id: transaction,
  sequence,
  ...row
}: WebhookRow): Webhook {
  return {
    ...row,
    position: formatPosition([String(epoch), transaction, sequence]),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
    gapSince: row.gapSince?.toISOString() ?? null,
    earlierSecretUntil: row.earlierSecretUntil?.toISOString() ?? null,
  };
}

/** A secret of the Standard Webhooks specification: 24 to 64 random bytes. */
function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function sealHeaders(box: SecretBox, id: string, headers: Readonly<Record<string, string>>): string {
  return box.seal(JSON.stringify(headers), contextOf(id));
}

function notFound(id: string): GantryError {
  return new GantryError(
    'NOT_FOUND',
    `There is no webhook ${id.slice(0, 40)}. List them with GET /api/platform/webhooks.`,
  );
}

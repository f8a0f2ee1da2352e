import { randomBytes } from 'node:crypto';
import { GantryError, type Database } from '@gantry/plugin-api';
import type { DeliveredAction } from '@gantry/contracts';
import type { SecretBox } from '@gantry/core-common';
import { parsePosition, type Position } from '@gantry/core-database';
import type { Feed } from '../delivery/feed';
import { createSubscriptionControl, type LogPage, type SubscriptionControl } from '../delivery/subscription-control';
import { statusColumns, statusesOf, timeOf, type StatusRow } from '../delivery/subscription-status';
import { contextOf } from './webhook-context';
import { fieldsNotInUse } from './webhook-filter';
import { changedHeaders, type WantedHeaders } from './webhook-headers';
import { webhookIdOf } from './webhook-event';
import type {
  DeliveryAttempt,
  GivenUpChange,
  SubscriptionState,
  SubscriptionStatus,
  Webhook,
  WebhookCondition,
} from './webhook-schemas';

type ReadFeed = Pick<Feed, 'backlogs' | 'hasField' | 'isRead' | 'typesInUse'>;

/** The settings of a webhook. */
export interface WebhookInput {
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly actions: readonly DeliveredAction[];
  readonly filter: readonly WebhookCondition[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Changed members of a webhook; of header fields, null keeps the value. */
export interface WebhookChange extends Partial<Omit<WebhookInput, 'headers'>> {
  readonly headers?: WantedHeaders;
}

export interface UpdatedWebhook {
  readonly name: string;
  readonly url: string;
  /** Before the change. */
  readonly previousUrl: string;
}

/** The parts of a request. */
export interface WebhookTarget extends Omit<WebhookInput, 'headers'> {
  readonly subscriptionId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The present one first. */
  readonly secrets: readonly string[];
}

/** The webhooks that administrators have defined. */
export interface Webhooks {
  list(): Promise<readonly Webhook[]>;
  /** @throws GantryError NOT_FOUND, as all methods with an id do */
  get(id: string): Promise<Webhook>;
  /** Reads and changes them in the transaction of a change. */
  within(transaction: Database): WebhookChanges;
  remove(id: string): Promise<Webhook>;
  setState(id: string, state: SubscriptionState): Promise<Webhook>;
  /** Delivers again what follows the position. */
  replay(id: string, position: Position): Promise<Webhook>;
  /** Puts undelivered changes among those that wait; all of them unless ids are given. */
  retry(id: string, changes?: readonly string[]): Promise<Webhook>;
  /** Removes undelivered changes from their list; all of them unless ids are given. */
  discard(id: string, changes?: readonly string[]): Promise<Webhook>;
  log(id: string, limit: number, before: string | undefined): Promise<LogPage<DeliveryAttempt>>;
  undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<GivenUpChange>>;
  /** Undefined when it was removed. */
  target(id: string): Promise<WebhookTarget | undefined>;
  /** The id of its subscription. */
  subscriptionOf(id: string): Promise<string>;
}

/** A webhook keeps sending after the credential of its author ends: it is written in the transaction that reads the credential again. */
export interface WebhookChanges {
  create(input: WebhookInput, position: Position, createdBy: string): Promise<CreatedWebhook>;
  /** @throws GantryError VALIDATION_FAILED for a header field that has no value to keep, or none for another origin of the URL */
  update(id: string, change: WebhookChange): Promise<UpdatedWebhook>;
  /** Makes another secret; requests are signed with both for a day. @returns the secret, which is shown once */
  rotateSecret(id: string): Promise<string>;
}

export interface CreatedWebhook {
  readonly id: string;
  /** Shown once. */
  readonly secret: string;
}

const idPattern = /^wh_[A-Za-z0-9_-]{16}$/;

const select = `SELECT s.name AS id, ${statusColumns}, w.name, w.url, w.types, w.actions, w.filter, w.header_names AS headers, w.created_by AS "createdBy",
    w.updated_at AS "updatedAt", CASE WHEN w.earlier_secret_until > now() THEN w.earlier_secret_until END AS "earlierSecretUntil"
  FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id`;

interface WebhookRow
  extends StatusRow, Pick<Webhook, 'id' | 'name' | 'url' | 'types' | 'actions' | 'filter' | 'headers' | 'createdBy'> {
  readonly updatedAt: Date;
  readonly earlierSecretUntil: Date | null;
}

export interface WebhooksOptions {
  readonly database: Database;
  /** Encrypts secrets and header fields. */
  readonly box: SecretBox;
  readonly feed: ReadFeed;
  /** Display names of users, by what the audit log calls them, such as `user:12`; of those that exist. */
  readonly namesOf: (actors: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  return new StoredWebhooks(options);
}

class StoredWebhooks implements Webhooks, WebhookChanges {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #feed: ReadFeed;
  readonly #options: WebhooksOptions;
  readonly #control: SubscriptionControl;

  constructor(options: WebhooksOptions) {
    const { database, box, feed } = options;
    this.#options = options;
    this.#database = database;
    this.#box = box;
    this.#feed = feed;
    this.#control = createSubscriptionControl(database);
  }

  async list(): Promise<readonly Webhook[]> {
    return this.#present(await this.#database.query<WebhookRow>(`${select} ORDER BY w.name, s.id`));
  }

  async get(id: string): Promise<Webhook> {
    const [webhook] = await this.#present([await this.#find(id)]);
    if (webhook === undefined) throw notFound(id);
    return webhook;
  }

  async subscriptionOf(id: string): Promise<string> {
    return (await this.#find(id)).subscriptionId;
  }

  within(transaction: Database): WebhookChanges {
    return new StoredWebhooks({ ...this.#options, database: transaction });
  }

  async create(
    input: WebhookInput,
    [epoch, transaction, sequence]: Position,
    createdBy: string,
  ): Promise<CreatedWebhook> {
    const id = `wh_${randomBytes(12).toString('base64url')}`;
    const secret = createSecret();
    await this.#database.query(
      `WITH s AS (
         INSERT INTO gantry_subscription (kind, name, epoch, transaction_id, sequence, read_tables) VALUES ('webhook', $1, $2, $3, $4, $13)
         RETURNING id)
       INSERT INTO gantry_webhook (subscription_id, name, url, types, actions, filter, header_names, encrypted_headers, encrypted_secret, created_by)
       SELECT id, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, $14 FROM s`,
      [
        ...[id, epoch, transaction, sequence, input.name, input.url, input.types, input.actions],
        ...[JSON.stringify(input.filter), Object.keys(input.headers)],
        ...[sealHeaders(this.#box, id, input.headers), this.#box.seal(secret, contextOf(id))],
        ...[this.#tablesOf(input.types), createdBy],
      ],
    );
    return { id, secret };
  }

  async update(id: string, change: WebhookChange): Promise<UpdatedWebhook> {
    const { name, subscriptionId } = await this.#find(id);
    return this.#database.transaction(async (transaction) => {
      // Of two changes at the same time, one must not keep values for the address that the other one sets.
      await transaction.query('SELECT FROM gantry_subscription WHERE id = $1 FOR UPDATE', [subscriptionId]);
      const [row] = await transaction.query<Record<'url' | 'headers', string>>(
        'SELECT url, encrypted_headers AS headers FROM gantry_webhook WHERE subscription_id = $1',
        [subscriptionId],
      );
      if (row === undefined) throw notFound(id);
      const stored = { url: row.url, headers: openHeaders(this.#box, id, row.headers) };
      const headers = changedHeaders(stored, change.url ?? row.url, change.headers);
      await this.#write(transaction, id, subscriptionId, { ...change, headers });
      return { name: change.name ?? name, url: change.url ?? row.url, previousUrl: row.url };
    });
  }

  async #write(
    transaction: Database,
    id: string,
    subscriptionId: string,
    { headers, ...change }: StoredChange,
  ): Promise<void> {
    await transaction.query(
      `WITH s AS (UPDATE gantry_subscription SET revision = revision + 1,
           read_tables = ARRAY(SELECT unnest(read_tables) UNION SELECT unnest($9::text[]) ORDER BY 1) WHERE id = $1)
       UPDATE gantry_webhook SET name = coalesce($2, name), url = coalesce($3, url), types = coalesce($4, types),
         actions = coalesce($5, actions), filter = coalesce($6::jsonb, filter), header_names = coalesce($7, header_names),
         encrypted_headers = coalesce($8, encrypted_headers), updated_at = now() WHERE subscription_id = $1`,
      [
        ...[subscriptionId, change.name ?? null, change.url ?? null, change.types ?? null, change.actions ?? null],
        change.filter === undefined ? null : JSON.stringify(change.filter),
        ...(headers === undefined ? [null, null] : [Object.keys(headers), sealHeaders(this.#box, id, headers)]),
        change.types === undefined ? [] : this.#tablesOf(change.types),
      ],
    );
  }

  async remove(id: string): Promise<Webhook> {
    const webhook = await this.get(id);
    await this.#database.query('DELETE FROM gantry_subscription WHERE name = $1', [id]);
    return webhook;
  }

  async rotateSecret(id: string): Promise<string> {
    const subscriptionId = await this.subscriptionOf(id);
    const secret = createSecret();
    await this.#database.query(
      `WITH s AS (UPDATE gantry_subscription SET revision = revision + 1 WHERE id = $1)
       UPDATE gantry_webhook SET encrypted_earlier_secret = encrypted_secret, earlier_secret_until = now() + interval '1 day',
         encrypted_secret = $2, updated_at = now() WHERE subscription_id = $1`,
      [subscriptionId, this.#box.seal(secret, contextOf(id))],
    );
    return secret;
  }

  async setState(id: string, state: SubscriptionState): Promise<Webhook> {
    await this.#control.setState(await this.subscriptionOf(id), state);
    return this.get(id);
  }

  async replay(id: string, position: Position): Promise<Webhook> {
    await this.#control.replay(await this.subscriptionOf(id), position);
    return this.get(id);
  }

  async retry(id: string, changes?: readonly string[]): Promise<Webhook> {
    await this.#control.retry(await this.subscriptionOf(id), changes);
    return this.get(id);
  }

  async discard(id: string, changes?: readonly string[]): Promise<Webhook> {
    await this.#control.discard(await this.subscriptionOf(id), changes);
    return this.get(id);
  }

  async log(id: string, limit: number, before: string | undefined): Promise<LogPage<DeliveryAttempt>> {
    const subscriptionId = await this.subscriptionOf(id);
    return withWebhookIds(subscriptionId, await this.#control.attempts(subscriptionId, limit, before));
  }

  async undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<GivenUpChange>> {
    const subscriptionId = await this.subscriptionOf(id);
    return withWebhookIds(subscriptionId, await this.#control.undelivered(subscriptionId, limit, before));
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
      headers: openHeaders(this.#box, id, headers),
      secrets: sealed.map((text) => this.#box.open(text, contextOf(id))),
    };
  }

  /** Another host, without some of the types, may be the first that delivers. */
  #tablesOf(types: readonly string[]): readonly string[] {
    return [...this.#feed.typesInUse(types).wanted.keys()].toSorted();
  }

  async #present(rows: readonly WebhookRow[]): Promise<readonly Webhook[]> {
    const statuses = await statusesOf(rows, ({ types }) => types, this.#feed);
    const names = await this.#options.namesOf(rows.flatMap(({ createdBy }) => createdBy ?? []));
    return statuses.flatMap((status, index) => {
      const row = rows[index];
      if (row === undefined) return [];
      const createdByName = names.get(row.createdBy ?? '');
      const creator = createdByName === undefined ? {} : { createdByName };
      return [{ ...describe(row, this.#feed), ...creator, ...status }];
    });
  }

  async #find(id: string): Promise<WebhookRow> {
    const [row] = idPattern.test(id) ? await this.#database.query<WebhookRow>(`${select} WHERE s.name = $1`, [id]) : [];
    if (row === undefined) throw notFound(id);
    return row;
  }
}

function describe(
  { id, name, url, types, actions, filter, headers, createdBy, ...row }: WebhookRow,
  { isRead, hasField, typesInUse }: ReadFeed,
): Omit<Webhook, keyof SubscriptionStatus | 'createdByName'> {
  return {
    ...{ id, name, url, types, actions, filter, headers, createdBy },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    typesNotInUse: types.filter((type) => !isRead(type)),
    fieldsNotInUse: fieldsNotInUse({ types, filter }, [...typesInUse(types).wanted.values()], hasField),
    earlierSecretUntil: timeOf(row.earlierSecretUntil),
  };
}

interface StoredChange extends Omit<WebhookChange, 'headers'> {
  readonly headers: WebhookInput['headers'] | undefined;
}

interface TargetRow extends Omit<WebhookTarget, 'headers' | 'secrets'> {
  readonly headers: string;
  readonly secret: string;
  readonly earlierSecret: string | null;
}

function withWebhookIds<T extends { readonly position: string }>(
  subscriptionId: string,
  { rows, nextBefore }: LogPage<T>,
): LogPage<T & { readonly webhookId: string }> {
  const idOf = ({ position }: T): string => webhookIdOf(subscriptionId, parsePosition('position', position));
  return { rows: rows.map((row) => ({ ...row, webhookId: idOf(row) })), nextBefore };
}

/** A secret of the Standard Webhooks specification: 24 to 64 random bytes. */
function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function sealHeaders(box: SecretBox, id: string, headers: Readonly<Record<string, string>>): string {
  return box.seal(JSON.stringify(headers), contextOf(id));
}

function openHeaders(box: SecretBox, id: string, sealed: string): Readonly<Record<string, string>> {
  return JSON.parse(box.open(sealed, contextOf(id))) as Record<string, string>;
}

function notFound(id: string): GantryError {
  return new GantryError(
    'NOT_FOUND',
    `There is no webhook ${id.slice(0, 40)}. List them with GET /api/platform/webhooks.`,
  );
}

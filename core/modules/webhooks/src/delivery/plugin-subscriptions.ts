import { GantryError, type Database } from '@gantry/plugin-api';
import type { Position } from '@gantry/core-database';
import type { Feed } from './feed';
import type { PluginSubscription } from './receivers';
import { createSubscriptionControl, type LogPage } from './subscription-control';
import { statusColumns, statusesOf, type StatusRow } from './subscription-status';
import type {
  DeliveryAttempt,
  GivenUpChange,
  PluginSubscriptionStatus,
  SubscriptionState,
} from '../sending/webhook-schemas';

/** The subscriptions that plugins declare, also of plugins that are not in use. Methods with an id throw NOT_FOUND. */
export interface PluginSubscriptions {
  list(): Promise<readonly PluginSubscriptionStatus[]>;
  get(id: string): Promise<PluginSubscriptionStatus>;
  /** @throws GantryError CONFLICT while a plugin that is in use declares it */
  remove(id: string): Promise<PluginSubscriptionStatus>;
  setState(id: string, state: SubscriptionState): Promise<PluginSubscriptionStatus>;
  replay(id: string, position: Position): Promise<PluginSubscriptionStatus>;
  retry(id: string, changes?: readonly string[]): Promise<PluginSubscriptionStatus>;
  discard(id: string, changes?: readonly string[]): Promise<PluginSubscriptionStatus>;
  log(id: string, limit: number, before: string | undefined): Promise<LogPage<DeliveryAttempt>>;
  undelivered(id: string, limit: number, before: string | undefined): Promise<LogPage<GivenUpChange>>;
  /** The id of the subscription in the database. */
  subscriptionOf(id: string): Promise<string>;
}

export interface PluginSubscriptionsOptions {
  readonly database: Database;
  readonly feed: Pick<Feed, 'backlogs'>;
  /** Those of plugins that are in use. */
  readonly plugins: () => readonly PluginSubscription[];
}

interface Row extends StatusRow {
  readonly id: string;
}

/** Impossible names are not looked for: PostgreSQL refuses some of it. */
const idPattern = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;

const select = `SELECT s.name AS id, ${statusColumns} FROM gantry_subscription s WHERE s.kind = 'plugin'`;

export function createPluginSubscriptions({
  database,
  feed,
  plugins,
}: PluginSubscriptionsOptions): PluginSubscriptions {
  const control = createSubscriptionControl(database);
  const typesOf = (id: string): readonly string[] | undefined => plugins().find(({ name }) => name === id)?.types;
  const present = async (rows: readonly Row[]): Promise<readonly PluginSubscriptionStatus[]> => {
    const statuses = await statusesOf(rows, ({ id }) => typesOf(id) ?? [], feed);
    return statuses.flatMap((status, index): readonly PluginSubscriptionStatus[] => {
      const row = rows[index];
      if (row === undefined) return [];
      const [plugin = '', name = ''] = row.id.split('/');
      return [
        { id: row.id, plugin, name, types: typesOf(row.id) ?? null, createdAt: row.createdAt.toISOString(), ...status },
      ];
    });
  };
  const find = async (id: string): Promise<Row> => {
    const [row] = idPattern.test(id) ? await database.query<Row>(`${select} AND s.name = $1`, [id]) : [];
    if (row === undefined) throw notFound(id);
    return row;
  };
  const get = async (id: string): Promise<PluginSubscriptionStatus> => {
    const [found] = await present([await find(id)]);
    if (found === undefined) throw notFound(id);
    return found;
  };
  const subscriptionOf = async (id: string): Promise<string> => (await find(id)).subscriptionId;
  const after = async (
    id: string,
    act: (subscriptionId: string) => Promise<void>,
  ): Promise<PluginSubscriptionStatus> => {
    await act(await subscriptionOf(id));
    return get(id);
  };
  return {
    ...{ get, subscriptionOf },
    list: async () => present(await database.query<Row>(`${select} ORDER BY s.name`)),
    async remove(id) {
      const subscription = await get(id);
      if (subscription.types !== null) throw isDeclared(subscription);
      await database.query(`DELETE FROM gantry_subscription WHERE kind = 'plugin' AND name = $1`, [id]);
      return subscription;
    },
    setState: (id, state) => after(id, (subscription) => control.setState(subscription, state)),
    replay: (id, position) => after(id, (subscription) => control.replay(subscription, position)),
    retry: (id, changes) => after(id, (subscription) => control.retry(subscription, changes)),
    discard: (id, changes) => after(id, (subscription) => control.discard(subscription, changes)),
    log: async (id, limit, before) => control.attempts(await subscriptionOf(id), limit, before),
    undelivered: async (id, limit, before) => control.undelivered(await subscriptionOf(id), limit, before),
  };
}

function notFound(id: string): GantryError {
  return new GantryError(
    'NOT_FOUND',
    `There is no subscription ${id.slice(0, 100)}. List them with GET /api/platform/subscriptions.`,
  );
}

function isDeclared({ id, plugin }: PluginSubscriptionStatus): GantryError {
  return new GantryError(
    'CONFLICT',
    `The subscription ${id} is declared by ${plugin}, which is in use. Disable the plugin first, or pause the subscription.`,
  );
}

import { isGantryError, type Database, type Logger } from '@gantry/plugin-api';

/** An order that was placed, in one namespace of one Temporal. */
export interface PlacedOrder {
  readonly orderId: string;
  readonly namespaceId: string;
  /** The first run of its workflow. */
  readonly runId: string;
}

/** The orders that were placed, for as long as the database lives; Temporal forgets what has ended after its retention. */
export interface PlacedOrders {
  /** @returns the first run; undefined for an order that was never placed */
  runOf(order: Omit<PlacedOrder, 'runId'>): Promise<string | undefined>;
  /** Changes nothing when the order is known. */
  remember(order: PlacedOrder): Promise<void>;
}

/**
 * Orders are placed while PostgreSQL is away, too: Temporal alone keeps them single for its retention. What could not be
 * remembered is remembered when the same order is asked for again.
 * @param database where the table of the item type `order` lives
 */
export function createPlacedOrders(database: Database, logger: Logger): PlacedOrders {
  const unlessAway = async <T>(query: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await query();
    } catch (error) {
      if (!isGantryError(error) || error.code !== 'UNAVAILABLE') throw error;
      logger.warn({ err: error }, 'PostgreSQL is away; an order is placed without it');
      return undefined;
    }
  };
  return {
    async runOf({ orderId, namespaceId }) {
      const rows = await unlessAway(() =>
        database.query<{ readonly run_id: string }>(
          'SELECT run_id FROM order_order WHERE order_id = $1 AND namespace_id = $2',
          [orderId, namespaceId],
        ),
      );
      return rows?.[0]?.run_id;
    },
    async remember({ orderId, namespaceId, runId }) {
      await unlessAway(() =>
        database.query(
          `INSERT INTO order_order (order_id, namespace_id, run_id, version, created_at, updated_at)
           VALUES ($1, $2, $3, 1, now(), now()) ON CONFLICT (order_id, namespace_id) DO NOTHING`,
          [orderId, namespaceId, runId],
        ),
      );
    },
  };
}

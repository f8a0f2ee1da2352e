import type { Database } from '@gantry/plugin-api';

/** The stored shipments, one row per order. */
export interface Shipments {
  /** Notes that there is a parcel; changes nothing when it is known. */
  note(orderId: string): Promise<void>;
  /** Stores the carrier's report; the newest one counts. */
  report(orderId: string, delivered: boolean): Promise<void>;
  /** What the carrier reported; undefined as long as it reported nothing. */
  reported(orderId: string): Promise<boolean | undefined>;
}

/** @param database where the table of the item type `shipment` lives */
export function createShipments(database: Database): Shipments {
  return {
    async note(orderId) {
      await database.query(
        `INSERT INTO consignment_shipment (order_id, version, created_at, updated_at)
         VALUES ($1, 1, now(), now()) ON CONFLICT (order_id) DO NOTHING`,
        [orderId],
      );
    },
    async report(orderId, delivered) {
      await database.query(
        `INSERT INTO consignment_shipment AS shipment (order_id, delivered, version, created_at, updated_at)
         VALUES ($1, $2, 1, now(), now())
         ON CONFLICT (order_id) DO UPDATE
         SET delivered = EXCLUDED.delivered, version = shipment.version + 1, updated_at = now()
         WHERE shipment.delivered IS DISTINCT FROM EXCLUDED.delivered`,
        [orderId, delivered],
      );
    },
    async reported(orderId) {
      const [row] = await database.query<{ delivered: boolean | null }>(
        'SELECT delivered FROM consignment_shipment WHERE order_id = $1',
        [orderId],
      );
      return row?.delivered ?? undefined;
    },
  };
}

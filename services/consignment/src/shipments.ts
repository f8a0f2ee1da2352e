import type { ItemStore } from '@gantry/plugin-api';
import { Shipment } from './shipment';

/** The stored shipments, one item per order. */
export interface Shipments {
  /** Notes that there is a parcel; changes nothing when it is known. */
  note(orderId: string): Promise<void>;
  /** Stores the carrier's report; the newest one counts. */
  report(orderId: string, delivered: boolean): Promise<void>;
  /** The report of the carrier; undefined as long as it reported nothing. */
  reported(orderId: string): Promise<boolean | undefined>;
}

export function createShipments(items: ItemStore): Shipments {
  const shipments = items.of(Shipment);
  const key = { by: ['orderId'] } as const;
  return {
    async note(orderId) {
      await shipments.createIfAbsent({ orderId }, key);
    },
    async report(orderId, delivered) {
      await shipments.upsert({ orderId, delivered }, key);
    },
    async reported(orderId) {
      const shipment = await shipments.find({ orderId });
      return shipment?.delivered ?? undefined;
    },
  };
}

import type { ShippingActivities } from '@gantry/contracts';
import type { Shipments } from './shipments';

/**
 * Answers with the carrier's report, or with `deliveredByDefault` while there is none.
 */
export function createShippingActivities(shipments: Shipments, deliveredByDefault: boolean): ShippingActivities {
  return {
    async checkShipping(orderId) {
      await shipments.note(orderId);
      return (await shipments.reported(orderId)) ?? deliveredByDefault;
    },
  };
}

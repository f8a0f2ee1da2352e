import { activityRetries, timeLimits, type FindSettlement, type OrderActivities } from '@gantry/contracts';
import { proxyLocalActivities } from '@temporalio/workflow';

const activities = proxyLocalActivities<OrderActivities>({
  scheduleToCloseTimeout: timeLimits.settlementAnswer,
  retry: activityRetries.findSettlement,
});

/** Says whether an order was settled. Other services ask by it, because the row of the order is the order service's own. */
export const findSettlement: FindSettlement = (orderId) => activities.findSettlement(orderId);

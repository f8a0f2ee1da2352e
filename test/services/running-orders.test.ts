import { describeOrderCancellation } from '../workflows/suites/order-cancellation';
import { describeDispatches } from './suites/dispatches';
import { describeMissingWorker } from './suites/ops-missing-worker';
import { describeOps } from './suites/ops';
import { describeOpsClosing } from './suites/ops-closing';
import { describeOpsUnusual } from './suites/ops-unusual';
import { describeOrderDecisions } from './suites/order-decisions';
import { describeSettledOrders } from './suites/settled-orders';
import { useQuickOrders } from './support/quick-orders';

// One Temporal with its workers for all of them, which take more processor time to start than most tests.
const orders = useQuickOrders({ missing: ['email'] });

// Temporal remembers for minutes who polled a queue.
describeMissingWorker(orders);
// Before there are orders of others with problems.
describeOps(orders);
describeOpsClosing(orders);
describeOpsUnusual(orders);
describeOrderCancellation(() => orders().environment);
describeSettledOrders(orders);
// Both compare all orders with their rows, as long as the tests run.
describeOrderDecisions(orders);
describeDispatches(orders);

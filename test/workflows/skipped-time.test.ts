import { describeOrderRoutes } from '../services/suites/order-routes';
import { describeWaitingPayments } from '../services/suites/waiting-payments';
import { describeConsignmentBranches } from './suites/consignment-branches';
import { describeOrderBranches } from './suites/order-branches';
import { describeTimeLimits } from './suites/time-limits';
import { useOrderEnvironment } from './support/order-environment';

// One server with its workers for all of them, which take more processor time to start than most tests.
const environment = useOrderEnvironment();

describeTimeLimits(environment);
describeConsignmentBranches(environment);
describeOrderRoutes(environment);
describeWaitingPayments(environment);
// Last: one of its workflows has a task that nobody takes, with which the server's time does not advance any more.
describeOrderBranches(environment);

import { describeEmailActivities } from './suites/email-activities';
import { describeOpsRequests } from './suites/ops-requests';
import { describeOrderDays } from './suites/order-days';
import { describeOrderList } from './suites/order-list';
import { describeOrderRows } from './suites/order-rows';
import { describePaymentAndShipping } from './suites/payment-and-shipping';
import { describeRoutesWithoutTemporal } from './suites/routes-without-temporal';
import { useServices } from './support/open-services';

// One load of the services for all of them, and one database for those that do not ask for another.
const services = useServices();

describeRoutesWithoutTemporal(services);
describeOpsRequests(services);
describeEmailActivities(services);
describePaymentAndShipping(services);
describeOrderList(services);
describeOrderDays();
describeOrderRows();

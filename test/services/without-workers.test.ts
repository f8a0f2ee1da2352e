import { describeForeignWorkflows } from './suites/foreign-workflows';
import { describeForgottenOrders } from './suites/forgotten-orders';
import { describeLongHistories } from './suites/long-histories';
import { useOrderServices } from './support/order-services';

const opened = useOrderServices();

describeForeignWorkflows(opened);
describeForgottenOrders(opened);
describeLongHistories(opened);

import { testEmptyPages } from './operations/empty-pages';
import { testOrderDecisions } from './operations/order-decisions';
import { testOrderList } from './operations/order-list';
import { testOperationsPages } from './operations/pages';
import { testServiceAccounts } from './operations/service-accounts';
import { testTemporalAway } from './operations/temporal-away';
import { useAdminTab } from './support/open-pages';
import { startOrdersPlatform, type OrdersPlatform } from './support/orders-platform';

// One platform, which is empty at first, whose Temporal is unavailable for a moment and which requires sign-in at last. Each suite has orders that no other uses.
let started: OrdersPlatform;
beforeAll(async () => {
  started = await startOrdersPlatform();
});
afterAll(() => started.stop());

const platform = (): OrdersPlatform => started;
const tab = useAdminTab(() => started.address);

describe('without orders, the operations pages', () => testEmptyPages(tab));
describe('the list of orders', () => testOrderList(platform, tab));
describe('the pages of orders that need a decision', () => testOrderDecisions(platform, tab));
describe('the operations pages', () => testOperationsPages(platform, tab));
describe('while Temporal is unavailable, the operations pages', () => testTemporalAway(platform, tab));
describe('a service account that has permissions of the order services', () => testServiceAccounts(platform));

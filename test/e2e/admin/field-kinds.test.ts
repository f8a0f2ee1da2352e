import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { describeFieldKinds } from './suites/field-kinds';
import { describeMoneyAndKeys } from './suites/money-and-keys';
import { describeItemLinks } from './suites/item-links';
import { describeReferences } from './suites/references';
import { describeCellEdit } from './suites/cell-edit';

const host = useTestHost({
  plugins: [
    ...adminPlugins,
    'plugins/field-kinds',
    'test/samples/geo',
    'test/samples/banners',
    'test/e2e/rest/fixtures/workbench',
    'test/e2e/admin/fixtures/venues',
    'test/e2e/admin/fixtures/rooms',
  ],
});
const tab = useAdminTab(() => host.address);

describe('kinds', () => describeFieldKinds(host, tab));
describe('money and keys', () => describeMoneyAndKeys(host, tab));
describe('links to items', () => describeItemLinks(host, tab));
describe('references', () => describeReferences(host, tab));
describe('cells, tabs and conditions', () => describeCellEdit(host, tab));

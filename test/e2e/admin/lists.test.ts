import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { describeLists } from './suites/lists';
import { describePickers } from './suites/pickers';
import { describeAccessibility } from './suites/accessibility';

const host = useTestHost({
  plugins: [...adminPlugins, 'test/e2e/rest/fixtures/workbench', 'test/samples/broken/throws-on-start'],
});
const tab = useAdminTab(() => host.address);

describe('lists', () => describeLists(host, tab));
describe('pickers', () => describePickers(host, tab));
describe('accessibility', () => describeAccessibility(host, tab));

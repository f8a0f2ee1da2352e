import { useTestHost } from '../../support/platform';
import { describeSuites } from '../../support/suites';
import { emptyTables } from '../support/empty-tables';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { useZones } from './support/zones';
import { describeAccessibility } from './suites/accessibility';
import { describeCellEdit } from './suites/cell-edit';
import { describeDates } from './suites/dates';
import { describeDocumentEditor } from './suites/document-editor';
import { describeFieldKinds } from './suites/field-kinds';
import { describeFilters } from './suites/filters';
import { describeImages } from './suites/images';
import { describeItemLinks } from './suites/item-links';
import { describeLists } from './suites/lists';
import { describeMoneyAndKeys } from './suites/money-and-keys';
import { describePickers } from './suites/pickers';
import { describeReferences } from './suites/references';

const fixtures = ['agenda', 'rooms', 'tickets', 'venues'].map((name) => `test/e2e/admin/fixtures/${name}`);
const host = useTestHost({
  plugins: [
    ...adminPlugins,
    ...['plugins/field-kinds', 'plugins/media', 'plugins/media/test/fixtures/scans'],
    ...['test/samples/geo', 'test/samples/banners', 'test/e2e/rest/fixtures/workbench'],
    'test/samples/broken/throws-on-start',
    ...fixtures,
  ],
  environment: { GANTRY_MEDIA_MAX_BYTES: String(1024 * 1024) },
});
const tab = useAdminTab(() => host.address, '');
const inZone = useZones(tab);

describeSuites(
  {
    // On the platform of the field kinds, which has all that they need.
    lists: () => describeLists(host, tab),
    pickers: () => describePickers(host, tab),
    accessibility: () => describeAccessibility(host, tab),
    kinds: () => describeFieldKinds(host, tab),
    'editor of documents': () => describeDocumentEditor(host, tab),
    'money and keys': () => describeMoneyAndKeys(host, tab),
    'links to items': () => describeItemLinks(host, tab),
    references: () => describeReferences(host, tab),
    'cells, tabs and conditions': () => describeCellEdit(host, tab),
    dates: () => describeDates(host, tab, inZone),
    filters: () => describeFilters(host, tab, inZone),
    images: () => describeImages(host, tab),
  },
  async () => {
    await Promise.all([emptyTables(host), tab.renew()]);
    await inZone('UTC');
  },
);

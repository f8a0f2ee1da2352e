import { useTestHost } from '../../support/platform';
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
import { describeImagesOfRoles } from './suites/images-of-roles';
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
beforeAll(() => inZone('UTC'));

// Of lists first, on the platform of the field kinds: it has all that they need, and a start takes seconds.
describe('lists', () => describeLists(host, tab));
describe('pickers', () => describePickers(host, tab));
describe('accessibility', () => describeAccessibility(host, tab));
describe('kinds', () => {
  beforeAll(() => emptyTables(host));
  describeFieldKinds(host, tab);
});
describe('editor of documents', () => describeDocumentEditor(host, tab));
describe('money and keys', () => describeMoneyAndKeys(host, tab));
describe('links to items', () => describeItemLinks(host, tab));
describe('references', () => describeReferences(host, tab));
describe('cells, tabs and conditions', () => describeCellEdit(host, tab));
describe('dates', () => describeDates(host, tab, inZone));
describe('filters', () => describeFilters(host, tab, inZone));
describe('images', () => describeImages(host, tab));
// The last: from then on, the platform requires sign-in.
describe('images of roles', () => describeImagesOfRoles(host, tab));

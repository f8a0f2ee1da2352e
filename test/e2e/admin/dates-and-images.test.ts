import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { useZones } from './support/zones';
import { describeDates } from './suites/dates';
import { describeFilters } from './suites/filters';
import { describeImages } from './suites/images';
import { describeImagesOfRoles } from './suites/images-of-roles';

const host = useTestHost({
  plugins: [
    ...adminPlugins,
    'plugins/field-kinds',
    'plugins/media',
    'plugins/media/test/fixtures/scans',
    'test/e2e/admin/fixtures/agenda',
    'test/e2e/admin/fixtures/tickets',
  ],
  environment: { GANTRY_MEDIA_MAX_BYTES: String(1024 * 1024) },
});
const tab = useAdminTab(() => host.address, '');
const inZone = useZones(tab);

describe('dates', () => describeDates(host, tab, inZone));
describe('filters', () => describeFilters(host, tab, inZone));
describe('images', () => describeImages(host, tab));
// The last: from then on, the platform requires sign-in.
describe('images of roles', () => describeImagesOfRoles(host, tab));

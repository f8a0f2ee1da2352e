import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { createUiPlugins } from './support/ui-plugins';
import { describeHostileValues, hostilePlugin } from './suites/hostile-values';
import { describeManyTypes, partsPlugin } from './suites/many-types';

const plugins = createUiPlugins();
plugins.write('hostile', hostilePlugin);
plugins.write('parts', partsPlugin);

const host = useTestHost({ plugins: [...adminPlugins, plugins.pathOf('hostile'), plugins.pathOf('parts')] });
const tab = useAdminTab(() => host.address);
afterAll(() => plugins.remove());

describe('hostile values', () => describeHostileValues(host, tab));
describe('many types', () => describeManyTypes(host, tab));

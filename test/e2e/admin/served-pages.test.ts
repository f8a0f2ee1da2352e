import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { describeServing } from './suites/serving';
import { describeDocumentation } from './suites/documentation';
import { describeSearch } from './suites/search';
import { describeListRows } from './suites/list-rows';

const host = useTestHost({ plugins: [...adminPlugins] });
const tab = useAdminTab(() => host.address);

describe('serving', () => describeServing(host));
describe('documentation', () => describeDocumentation(tab));
describe('search', () => describeSearch(host, tab));
describe('rows and filters', () => describeListRows(host, tab));

import { useTestHost } from '../../support/platform';
import { emptyTables } from '../support/empty-tables';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { createUiPlugins } from './support/ui-plugins';
import { describeContentWalk } from './suites/content-walk';
import { describeKeyboard } from './suites/keyboard';
import { describeForms } from './suites/forms';
import { describeAudit } from './suites/audit';
import { describeMarkdown } from './suites/markdown';
import { describeHistory } from './suites/history';
import { describeServing } from './suites/serving';
import { describeFirstView } from './suites/first-view';
import { describeDocumentation } from './suites/documentation';
import { describeSearch } from './suites/search';
import { describeListRows } from './suites/list-rows';
import { describeViews } from './suites/views';
import { describeExports } from './suites/exports';
import { describeHostileValues, hostilePlugin } from './suites/hostile-values';

const plugins = createUiPlugins();
plugins.write('hostile', hostilePlugin);
const host = useTestHost({ plugins: [...adminPlugins, plugins.pathOf('hostile')] });
const tab = useAdminTab(() => host.address);
afterAll(() => plugins.remove());

describe('from an empty platform', () => describeContentWalk(host, tab));
describe('keyboard', () => describeKeyboard(host, tab));
describe('forms', () => describeForms(host, tab));
describe('texts', () => describeMarkdown(host, tab));
describe('history', () => describeHistory(host, tab));
describe('the audit page', () => describeAudit(host, tab));
// Each of these begins with no items again.
describe('serving', () => describeServing(host));
describe('first view', () => describeFirstView(host, tab));
describe('documentation', () => describeDocumentation(tab));
describe('search', () => describeSearch(host, tab));
describe('rows and filters', () => describeListRows(host, tab));
describe('views', () => describeViews(host, tab));
describe('exports', () => describeExports(host, tab));
describe('hostile values', () => {
  beforeAll(() => emptyTables(host));
  describeHostileValues(host, tab);
});

import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { describeContentWalk } from './suites/content-walk';
import { describeKeyboard } from './suites/keyboard';
import { describeForms } from './suites/forms';
import { describeHistory } from './suites/history';
import { describeServing } from './suites/serving';
import { describeDocumentation } from './suites/documentation';
import { describeSearch } from './suites/search';
import { describeListRows } from './suites/list-rows';
import { describeViews } from './suites/views';
import { describeExports } from './suites/exports';

const host = useTestHost({ plugins: [...adminPlugins] });
const tab = useAdminTab(() => host.address);

describe('from an empty platform', () => describeContentWalk(host, tab));
describe('keyboard', () => describeKeyboard(host, tab));
describe('forms', () => describeForms(host, tab));
describe('history', () => describeHistory(host, tab));
// Each of these begins with no items again.
describe('serving', () => describeServing(host));
describe('documentation', () => describeDocumentation(tab));
describe('search', () => describeSearch(host, tab));
describe('rows and filters', () => describeListRows(host, tab));
describe('views', () => describeViews(host, tab));
describe('exports', () => describeExports(host, tab));

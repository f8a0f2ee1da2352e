import { useTestHost } from '../../support/platform';
import { describeSuites } from '../../support/suites';
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

describeSuites(
  {
    'from an empty platform': () => describeContentWalk(host, tab),
    keyboard: () => describeKeyboard(host, tab),
    forms: () => describeForms(host, tab),
    texts: () => describeMarkdown(host, tab),
    history: () => describeHistory(host, tab),
    'the audit page': () => describeAudit(host, tab),
    serving: () => describeServing(host),
    'first view': () => describeFirstView(host, tab),
    documentation: () => describeDocumentation(tab),
    search: () => describeSearch(host, tab),
    'rows and filters': () => describeListRows(host, tab),
    views: () => describeViews(host, tab),
    exports: () => describeExports(host, tab),
    'hostile values': () => describeHostileValues(host, tab),
  },
  () => Promise.all([emptyTables(host), tab.renew()]),
);

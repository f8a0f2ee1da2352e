import { useTestHost } from '../../support/platform';
import { describeSuites } from '../../support/suites';
import { emptyTables } from '../support/empty-tables';
import { describeCreate } from './suites/create';
import { describeCriteria } from './suites/criteria';
import { describeEndpoints } from './suites/endpoints';
import { describeLosslessFiles } from './suites/lossless-files';
import { describePaging } from './suites/paging';
import { describeProtocol } from './suites/protocol';
import { describeRandomRequests } from './suites/random-requests';
import { describeRemove } from './suites/remove';
import { describeRenamedTable } from './suites/renamed-table';
import { describeRulesOfTables } from './suites/rules-of-tables';
import { describeSearchResults } from './suites/search-results';
import { describeSlowDatabase } from './suites/slow-database';
import { describeUpdate } from './suites/update';
import { describeValues } from './suites/values';
import { workbench } from './support/workbench';

const host = useTestHost(workbench);

describeSuites(
  {
    endpoints: () => describeEndpoints(host),
    create: () => describeCreate(host),
    update: () => describeUpdate(host),
    remove: () => describeRemove(host),
    values: () => describeValues(host),
    criteria: () => describeCriteria(host),
    paging: () => describePaging(host),
    'search results': () => describeSearchResults(host),
    'lossless files': () => describeLosslessFiles(host),
    protocol: () => describeProtocol(host),
    'rules of tables': () => describeRulesOfTables(host),
    'renamed table': () => describeRenamedTable(host),
    'random requests': () => describeRandomRequests(host),
    'slow database': () => describeSlowDatabase(host),
  },
  () => emptyTables(host),
);

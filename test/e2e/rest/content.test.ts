import { useTestHost } from '../../support/platform';
import { describeCreate } from './suites/create';
import { describeCriteria } from './suites/criteria';
import { describeEndpoints } from './suites/endpoints';
import { describeLosslessFiles } from './suites/lossless-files';
import { describePaging } from './suites/paging';
import { describeProtocol } from './suites/protocol';
import { describeRandomRequests } from './suites/random-requests';
import { describeRemove } from './suites/remove';
import { describeRenamedTable } from './suites/renamed-table';
import { describeRequests } from './suites/requests';
import { describeRulesOfTables } from './suites/rules-of-tables';
import { describeSearchResults } from './suites/search-results';
import { describeSlowDatabase } from './suites/slow-database';
import { slowClients } from './suites/slow-clients';
import { describeUpdate } from './suites/update';
import { describeValues } from './suites/values';
import { emptyTables } from '../support/empty-tables';
import { workbench } from './support/workbench';

const host = useTestHost(workbench);
const slow = slowClients(host);

describe.each([
  // The first one, because it measures memory.
  ['requests', describeRequests],
  ['slow clients', slow.describeBegin],
  ['endpoints', describeEndpoints],
  ['create', describeCreate],
  ['update', describeUpdate],
  ['remove', describeRemove],
  ['values', describeValues],
  ['criteria', describeCriteria],
  ['paging', describePaging],
  ['search results', describeSearchResults],
  ['lossless files', describeLosslessFiles],
  ['protocol', describeProtocol],
  ['rules of tables', describeRulesOfTables],
  ['renamed table', describeRenamedTable],
  ['random requests', describeRandomRequests],
  ['slow database', describeSlowDatabase],
  ['slow clients, later,', slow.describeEnd],
])('%s', (_name, describeSuite) => {
  beforeAll(() => emptyTables(host));
  describeSuite(host);
});

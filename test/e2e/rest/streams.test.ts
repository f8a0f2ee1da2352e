import { useTestHost } from '../../support/platform';
import { describeExports } from './suites/exports';
import { describeStreaming } from './suites/streaming';
import { emptyTables } from '../support/empty-tables';
import { workbench } from './support/workbench';

const host = useTestHost(workbench);

describe.each([
  ['streaming', describeStreaming],
  ['exports', describeExports],
])('%s', (_name, describeSuite) => {
  beforeAll(() => emptyTables(host));
  describeSuite(host);
});

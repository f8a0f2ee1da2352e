import { useTestHost } from '../../support/platform';
import { describeSuites } from '../../support/suites';
import { emptyTables } from '../support/empty-tables';
import { describeExports } from './suites/exports';
import { describeStreaming } from './suites/streaming';
import { workbench } from './support/workbench';

const host = useTestHost(workbench);

describeSuites({ streaming: () => describeStreaming(host), exports: () => describeExports(host) }, () =>
  emptyTables(host),
);

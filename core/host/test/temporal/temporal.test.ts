import { describeEmbeddedWait } from './suites/embedded-wait';
import { describeOwnCluster } from './suites/own-cluster';
import { describeServiceWorkers } from './suites/service-workers';
import { describeSettings } from './suites/settings';
import { useDevServer } from './support/dev-server';

// One server for all of them: a start takes more processor time than most tests.
const server = useDevServer();

describe('an embedded Temporal', () => describeEmbeddedWait(server));
describe('the Temporal of a host', () => describeServiceWorkers(server));
describe('a Temporal of others', () => describeOwnCluster(server));
describeSettings();

import { definePlugin } from '@gantry/plugin-api';
import { parseOpsConfig } from './config';
import { createOverviewRoute } from './overview';
import { temporalHealth } from './health';
import * as options from './route-options';
import {
  createCancelRoute,
  createDetailRoute,
  createHistoryRoute,
  createListRoute,
  createResetRoute,
  createSignalRoute,
  createTerminateRoute,
} from './routes';

export default definePlugin({
  id: 'ops',
  config: (environment) => ({ ...parseOpsConfig(environment) }),
  register({ router, temporal, database, config }) {
    router.route('GET', '/operations', createOverviewRoute(temporal, config), options.overview);
    router.route('GET', '/workflows', createListRoute(temporal), options.list);
    router.route('GET', '/workflows/:workflowId', createDetailRoute(temporal, config), options.detail);
    router.route('GET', '/workflows/:workflowId/history', createHistoryRoute(temporal), options.history);
    router.route('POST', '/workflows/:workflowId/cancel', createCancelRoute(temporal), options.cancel);
    router.route('POST', '/workflows/:workflowId/terminate', createTerminateRoute(temporal), options.terminate);
    router.route('POST', '/workflows/:workflowId/signal', createSignalRoute(temporal), options.signal);
    router.route('POST', '/workflows/:workflowId/reset', createResetRoute({ temporal, database }), options.reset);
  },
  health: temporalHealth,
});

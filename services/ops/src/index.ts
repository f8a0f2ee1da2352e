import { definePlugin } from '@gantry/plugin-api';
import { parseOpsConfig } from './config';
import { temporalHealth } from './health';
import { opsRoutes } from './routes';

export default definePlugin({
  id: 'ops',
  config: (environment) => ({ ...parseOpsConfig(environment) }),
  register: (context) => context.router.add(...opsRoutes(context, context.config)),
  health: temporalHealth,
});

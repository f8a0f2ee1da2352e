import { definePlugin } from '@gantry/plugin-api';
import { parseOpsConfig } from './config';
import { temporalHealth } from './health';
import { registerRoutes } from './routes';

export default definePlugin({
  id: 'ops',
  config: (environment) => ({ ...parseOpsConfig(environment) }),
  register: (context) => registerRoutes(context, context.config),
  health: temporalHealth,
});

import { join } from 'node:path';
import { taskQueues } from '@gantry/contracts';
import { definePlugin, type ServiceContext } from '@gantry/plugin-api';
import { createShippingActivities } from './activities';
import { parseConsignmentConfig, type ConsignmentConfig } from './config';
import { deliveryRoute, signalRoute } from './routes';
import { Shipment } from './shipment';
import { createShipments } from './shipments';

export { Shipment };

export default definePlugin({
  id: 'consignment',
  itemTypes: [Shipment],
  config: (environment) => ({ ...parseConsignmentConfig(environment) }),
  service: {
    taskQueue: taskQueues.consignment,
    workflowsPath: join(__dirname, 'workflow-bundle.js'),
    activities: (context) => ({
      ...createShippingActivities(createShipments(context.items), configOf(context).deliveredByDefault),
    }),
  },
  register({ router, temporal, items }) {
    router.add(
      signalRoute(temporal, 'dispatched'),
      signalRoute(temporal, 'confirmed'),
      deliveryRoute(createShipments(items.asPlugin()), temporal),
    );
  },
});

/** The host hands back what `config` gave. */
function configOf({ config }: ServiceContext): ConsignmentConfig {
  return config as unknown as ConsignmentConfig;
}

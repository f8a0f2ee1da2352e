import { join } from 'node:path';
import { orderIdSchema, signalNames, taskQueues } from '@gantry/contracts';
import { definePlugin, type ServiceContext } from '@gantry/plugin-api';
import { createShippingActivities } from './activities';
import { parseConsignmentConfig, type ConsignmentConfig } from './config';
import { createDeliveryRoute, createSignalRoute, deliverySchemas } from './routes';
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
    router.route(
      'POST',
      '/consignments/:orderId/dispatched',
      createSignalRoute(temporal, signalNames.shipmentDispatched),
      {
        access: { permission: 'consignment.change' },
        schemas: { params: orderIdSchema },
        body: 'none',
        summary: 'Notifies the consignment of an order that the parcel left the warehouse',
        openapi: { responses: { 202: { description: 'The signal shipmentDispatched was delivered' } } },
      },
    );
    router.route(
      'POST',
      '/consignments/:orderId/confirmed',
      createSignalRoute(temporal, signalNames.customerConfirmed),
      {
        access: { permission: 'consignment.change' },
        schemas: { params: orderIdSchema },
        body: 'none',
        summary: 'Notifies the consignment of an order that the customer received the parcel',
        openapi: { responses: { 202: { description: 'The signal customerConfirmed was delivered' } } },
      },
    );
    const report = createDeliveryRoute(createShipments(items.asPlugin()), temporal);
    router.route('PUT', '/consignments/:orderId/delivery', report, {
      summary: 'Stores whether the carrier delivered the parcel',
      access: { permission: 'consignment.change' },
      schemas: deliverySchemas,
      openapi: { responses: { 200: { description: 'The report is stored' } } },
    });
  },
});

/** The host hands back what `config` gave. */
function configOf({ config }: ServiceContext): ConsignmentConfig {
  return config as unknown as ConsignmentConfig;
}

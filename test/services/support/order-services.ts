import { createOrderEnvironment, type OrderEnvironment } from '../../workflows/support/order-environment';
import { openServices, type OpenServices } from './open-services';

/** The order services on a real Temporal without their workers. */
export interface OrderServices {
  readonly environment: OrderEnvironment;
  readonly services: OpenServices;
}

/** The same for all suites of a file, each of which has workflows with other ids. */
export function useOrderServices(): () => OrderServices {
  let opened: OrderServices | undefined;
  beforeAll(async () => {
    const environment = await createOrderEnvironment({
      server: 'local',
      missing: ['order', 'email', 'payment', 'consignment'],
    });
    const client = <T>(): Promise<T> => Promise.resolve(environment.temporal.client as T);
    opened = { environment, services: await openServices({ temporal: { namespace: 'default', client } }) };
  });
  afterAll(async () => {
    await opened?.services.close();
    await opened?.environment.close();
  });
  return () => {
    if (opened === undefined) throw new Error('The services are only known while tests run.');
    return opened;
  };
}

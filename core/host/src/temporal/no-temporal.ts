import { GantryError, type Temporal } from '@gantry/plugin-api';

/** Stands in while no Temporal is connected: every call is told so. */
export function createNoTemporal(namespace: string): Temporal {
  const away = async (): Promise<never> => {
    throw new GantryError('UNAVAILABLE', 'Temporal is not connected, so orders and operations are not to be had now.');
  };
  return { namespace, client: away };
}

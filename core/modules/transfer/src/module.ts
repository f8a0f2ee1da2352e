import { join } from 'node:path';
import { serveItemRoutes, type Module } from '@gantry/core-http';
import { createImportCapacity } from './routes/imports/import-capacity';
import { transferRoutes } from './routes/transfer-routes';

export interface TransferSettings {
  readonly home: string;
  /** Bytes of a file that is imported over HTTP at most. */
  readonly importLimit: number;
  /** Bytes of one item at most. */
  readonly importLineLimit: number;
}

/** Import and export of items. */
export const transfer: Module<TransferSettings> = {
  id: 'gantry.transfer',
  routes: transferRoutes,
  open({ settings, database, items, bulk, logger }) {
    const services = {
      ...{ ...items, bulk, database, logger },
      spoolFolder: join(settings.home, 'imports'),
      capacity: createImportCapacity(settings.importLimit),
      limit: settings.importLimit,
      maxLineLength: settings.importLineLimit,
    };
    return { routes: (server) => [serveItemRoutes(transferRoutes, services, server)] };
  },
};

import type { Express } from 'express';
import type { ItemHandlers } from './items/item-routes';
import { methodNotAllowed } from './exchange/method-not-allowed';

const items = '/api/cms/items';

/** The generic endpoints (specification, section 4, and decisions, "Items"). A new type adds none. */
export function addItemRoutes(app: Express, handlers: ItemHandlers): void {
  app.route(`${items}/types`).get(handlers.types).all(methodNotAllowed('GET, HEAD'));
  app.route(`${items}/:type/metadata`).get(handlers.metadata).all(methodNotAllowed('GET, HEAD'));
  app.route(`${items}/:type/search-metadata`).get(handlers.searchMetadata).all(methodNotAllowed('GET, HEAD'));
  app.route(`${items}/:type/list`).post(handlers.list).all(methodNotAllowed('POST'));
  app.route(`${items}/:type/search`).post(handlers.search).all(methodNotAllowed('POST'));
  app
    .route(`${items}/:type`)
    .post(handlers.create)
    .all(methodNotAllowed((request) => (handlers.offersWrites(request) ? 'POST' : '')));
  app
    .route(`${items}/:type/:id`)
    .get(handlers.get)
    .patch(handlers.update)
    .put(handlers.update)
    .delete(handlers.remove)
    .all(
      methodNotAllowed((request) => (handlers.offersWrites(request) ? 'GET, HEAD, PATCH, PUT, DELETE' : 'GET, HEAD')),
    );
}

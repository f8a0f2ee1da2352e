import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The OpenAPI document of the routes of the platform and of the plugins that it is delivered with; what is the same for all item types is in
 * it once. Build first.
 */
export function platformDocument() {
  const { compiledRoutes, createOpenApiDocument, routesOfPlugin } = require('../../core/host/dist/index.js');
  const folders = ['plugins/admin-ui', 'services/order', 'services/payment', 'services/consignment', 'services/ops'];
  const plugins = folders.map((folder) => require(`../../${folder}/dist/index.js`).default);
  const routes = [...compiledRoutes(), ...plugins.flatMap(routesOfPlugin)];
  return createOpenApiDocument({ types: 'any', routes, version: '', bodyLimit: 0 });
}

import { GantryError } from '@gantry/plugin-api';
import type { RegisteredMount, ServedUiFile } from '@gantry/core-loader';
import { addReadRoute, type Routes } from '../exchange/routes';

/**
 * A file of a plugin's pages.
 * @throws GantryError NOT_FOUND for what is not there or disabled, UNAVAILABLE while the plugin is quarantined
 */
export type FindUiFile = (plugin: string, version: string, path: string) => ServedUiFile;

/** Files that plugins built for the admin pages, at `/plugins/<id>/<version>/ui/`. */
export function pluginUiRoutes(find: FindUiFile): Routes {
  return (app) => {
    addReadRoute<UiParams>(app, '/plugins/:plugin/:version/ui/*path', (request, response) => {
      const { plugin, version, path } = request.params;
      const file = find(plugin, version, path.join('/'));
      response.setHeader('Content-Type', file.contentType);
      response.setHeader('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      // Scripts and images are not affected; a page or drawing that is opened as a document runs nothing.
      response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
      response.end(file.body);
    });
  };
}

interface UiParams {
  readonly plugin: string;
  readonly version: string;
  readonly path: readonly string[];
}

/** The answer for an address that does not exist. */
export function noUiFile(plugin: string): GantryError {
  return new GantryError('NOT_FOUND', `The plugin ${plugin} has no such file among its pages, or is not running.`);
}

/** The root leads to the admin pages where a plugin brings them. */
export function entrance(mounts: readonly RegisteredMount[]): Routes {
  const pages = mounts.find(({ prefix }) => prefix === '/admin');
  if (pages === undefined) return () => undefined;
  return (app) => addReadRoute(app, '/', (_request, response) => response.redirect(302, `${pages.prefix}/`));
}

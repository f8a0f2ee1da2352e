import { GantryError } from '@gantry/plugin-api';
import type { Express } from 'express';
import type { ServedUiFile } from '../../plugins';
import { methodNotAllowed } from '../exchange/method-not-allowed';

/**
 * A file of a plugin's pages.
 * @throws GantryError NOT_FOUND for what is not there or disabled, UNAVAILABLE while the plugin is quarantined
 */
export type FindUiFile = (plugin: string, version: string, path: string) => ServedUiFile;

/** Serves what plugins built for the admin pages, at `/plugins/<id>/<version>/ui/`. */
export function addPluginUiRoutes(app: Express, find: FindUiFile): void {
  app
    .route('/plugins/:plugin/:version/ui/*path')
    .get((request, response) => {
      const { plugin, version, path } = request.params as unknown as UiParams;
      const file = find(plugin, version, path.join('/'));
      response.setHeader('Content-Type', file.contentType);
      response.setHeader('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      // Scripts and images are not affected; a page or drawing that is opened as a document runs nothing.
      response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
      response.end(file.body);
    })
    .all(methodNotAllowed('GET, HEAD'));
}

interface UiParams {
  readonly plugin: string;
  readonly version: string;
  readonly path: readonly string[];
}

/** The answer for an address that does not exist. */
export function noUiFile(plugin: string): GantryError {
  return new GantryError('NOT_FOUND', `The plugin ${plugin} has no such file among its pages, or does not run.`);
}

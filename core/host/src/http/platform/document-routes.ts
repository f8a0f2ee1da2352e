import { addReadRoute, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import type { ScopeOf } from '../exchange/request-scope';
import { sendJson } from '../exchange/send';
import type { Scope } from '../../content/policy/scope';

/** A file that is served from memory. */
export interface MemoryFile {
  readonly contentType: string;
  readonly body: Buffer | string;
}

export interface DocumentRouteDependencies {
  readonly scopeOf: ScopeOf;
  /** The OpenAPI document as JSON text, made on first use. */
  readonly openApi: (scope: Scope) => string;
  /** The page that shows it: absolute path to file, and its content security policy. */
  readonly docs: { readonly files: ReadonlyMap<string, MemoryFile>; readonly csp: string };
}

/** The OpenAPI document and the page that shows it. */
export function documentRoutes({ scopeOf, openApi, docs }: DocumentRouteDependencies): Routes {
  return (app) => {
    addReadRoute(app, '/api/openapi.json', (request, response) => {
      parseQuery(request, []);
      sendJson(response, 200, openApi(scopeOf(request)));
    });
    for (const [path, file] of docs.files) {
      addReadRoute(app, path, (_request, response) => {
        response.setHeader('Content-Type', file.contentType);
        response.setHeader('Content-Security-Policy', docs.csp);
        response.end(file.body);
      });
    }
  };
}

import { z } from 'zod';
import type { Principal } from '../ports/authenticator';
import { routesWith, type HostRoute } from '../exchange/host-routes';
import { oneOf } from '../exchange/input/parsed-by';
import { addReadRoute, type Routes } from '../exchange/routes';

/** A file that is served from memory. */
export interface MemoryFile {
  readonly contentType: string;
  readonly body: Buffer | string;
}

/** The page that shows the document: absolute path to file, and its content security policy. */
export interface Docs {
  readonly files: ReadonlyMap<string, MemoryFile>;
  readonly csp: string;
}

export interface DocumentServices {
  /** The OpenAPI document of a caller as JSON text, made on first use. */
  readonly openApi: (principal: Principal, version: (typeof versions)[number]) => string;
}

const versions = ['3.1', '3.0'] as const;

/** The OpenAPI document. */
export const documentRoutes: readonly HostRoute<DocumentServices>[] = [
  routesWith<DocumentServices>()({
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'platformOpenApi',
    summary: 'Get this document, with the operations that the caller may use',
    description: 'For tools that do not read OpenAPI 3.1, `version=3.0` returns the same with less precise schemas.',
    access: 'items',
    query: z.object({
      version: oneOf('version', versions)
        .default('3.1')
        .meta({ ...{ type: 'string', enum: versions, default: '3.1' }, description: 'Version of OpenAPI.' }),
    }),
    answer: { mediaType: 'application/json', description: 'The document.' },
    handler: async ({ query: { version }, author }, { openApi }) => ({ text: openApi(author.principal, version) }),
  }),
];

/** The page that shows it. */
export function docsRoutes({ files, csp }: Docs): Routes {
  return (app) => {
    for (const [path, file] of files) {
      addReadRoute(app, path, (_request, response) => {
        response.setHeader('Content-Type', file.contentType);
        response.setHeader('Content-Security-Policy', csp);
        response.end(file.body);
      });
    }
  };
}

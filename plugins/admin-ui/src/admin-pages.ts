import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { GantryError, type RawHandler } from '@gantry/plugin-api';
import { negotiateEncoding } from './negotiate-encoding';
import { readBuiltFiles, type BuiltFile } from './read-built-files';

/** The built application of the admin pages, held in memory. */
export interface AdminPages {
  /** Reads the files of the build. Rejects when the application was not built. */
  load(): Promise<void>;
  readonly serve: RawHandler;
}

/** What stands in index.html where every answer gets a nonce of its own. */
const noncePlaceholder = '__CSP_NONCE__';
/** The build gives every file below it a name with a hash of its content. */
const hashedFolder = '/assets/';

/** Creates the pages over a folder with `index.html` and `assets/`; the build puts it beside this module. */
export function createAdminPages(folder = join(__dirname, 'web')): AdminPages {
  let files: ReadonlyMap<string, BuiltFile> = new Map();
  return {
    async load() {
      files = await readBuiltFiles(folder);
    },
    serve(request, response, path) {
      const file = files.get(path);
      if (file !== undefined && path !== '/index.html') {
        sendFile(request, response, path, file);
        return;
      }
      // A file that is gone is not found; every other path belongs to the application's own routes.
      if (path.startsWith(hashedFolder)) {
        throw new GantryError('NOT_FOUND', 'This file belongs to another version of the admin pages. Reload the page.');
      }
      sendIndex(response, files.get('/index.html'));
    },
  };
}

function sendFile(request: IncomingMessage, response: ServerResponse, path: string, file: BuiltFile): void {
  const { encoding, body } = negotiateEncoding(request.headers['accept-encoding'], file);
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader(
    'Cache-Control',
    path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.end(body);
}

function sendIndex(response: ServerResponse, index: BuiltFile | undefined): void {
  if (index === undefined) throw new GantryError('UNAVAILABLE', 'The admin pages are not loaded yet.');
  const nonce = randomBytes(16).toString('base64');
  response.setHeader('Content-Type', index.contentType);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.end(index.body.toString('utf8').replaceAll(noncePlaceholder, nonce));
}

/**
 * What the pages may do: run their own scripts and call this platform. The style elements that the component library
 * makes carry the nonce. Images may come from anywhere, because an IMAGE value may be any http(s) address.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: http: https:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { GantryError, type RawHandler } from '@gantry/plugin-api';
import { createIndexPage, type IndexPage } from './index-page';
import { createPreloadLinks, type Preloads } from './preload-links';
import { readBuiltFiles, type BuiltFile } from './read-built-files';
import type { ReadInitialData } from './initial-data';

/** The built application of the admin pages, held in memory. */
export interface AdminPages {
  /**
   * Reads the files of the build. Rejects when the application was not built.
   * @param readInitialData what a page brings with it, asked for with every page
   */
  load(readInitialData: ReadInitialData): Promise<void>;
  readonly serve: RawHandler;
}

/** The build gives every file below it a name with a hash of its content. */
const hashedFolder = '/assets/';

/** Creates the pages over a folder with `index.html` and `assets/`; the build puts it next to this module. */
export function createAdminPages(folder = join(__dirname, 'web')): AdminPages {
  let files: ReadonlyMap<string, BuiltFile> = new Map();
  let index: IndexPage | undefined;
  return {
    async load(readInitialData) {
      files = await readBuiltFiles(folder);
      const textOf = (path: string): string => files.get(path)?.body.toString('utf8') ?? '';
      const preloadLinks = createPreloadLinks(JSON.parse(textOf('/preloads.json')) as Preloads);
      index = createIndexPage({ html: textOf('/index.html'), readInitialData, preloadLinks });
    },
    async serve(request, response, path, { caller }) {
      const file = files.get(path);
      if (file !== undefined && path !== '/index.html') {
        sendFile(request, response, path, file);
        return;
      }
      // A file that is gone is not found; every other path belongs to the application's own routes.
      if (path.startsWith(hashedFolder)) {
        throw new GantryError('NOT_FOUND', 'This file belongs to another version of the admin pages. Reload the page.');
      }
      if (index === undefined) throw new GantryError('UNAVAILABLE', 'The admin pages are not loaded yet.');
      await index.send(response, path, caller);
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

/** The smallest form of a file that a client accepts. A coding that is named with `q=0` is refused. */
function negotiateEncoding(
  accepted: string | undefined,
  file: BuiltFile,
): { readonly encoding?: 'br' | 'gzip'; readonly body: Buffer } {
  const codings = acceptedCodings(accepted ?? '');
  if (file.brotli !== undefined && codings.has('br')) return { encoding: 'br', body: file.brotli };
  if (file.gzip !== undefined && codings.has('gzip')) return { encoding: 'gzip', body: file.gzip };
  return { body: file.body };
}

function acceptedCodings(header: string): ReadonlySet<string> {
  const entries = header.split(',').map((entry) => entry.trim().toLowerCase().split(';'));
  return new Set(
    entries.filter(([, quality]) => !/^\s*q=0(\.0*)?$/.test(quality ?? '')).map(([name = '']) => name.trim()),
  );
}

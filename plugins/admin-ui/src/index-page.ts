import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Caller } from '@gantry/plugin-api';
import type { ReadInitialData } from './initial-data';
import type { PreloadLinks } from './preload-links';

/** The one page of the application. */
export interface IndexPage {
  /** @param path of the address, below the prefix of the application */
  send(response: ServerResponse, path: string, caller: Caller | undefined): Promise<void>;
}

/** The placeholder in index.html for the nonce of each response. */
const noncePlaceholder = '__CSP_NONCE__';
const initialDataPlaceholder = '__INITIAL_DATA__';
/** By the import map, modules of plugins find the libraries that the application shares with them. */
const importMap = /<script type="importmap">([^<]*)<\/script>/;

export interface IndexPageParts {
  /** The built index.html. */
  readonly html: string;
  readonly readInitialData: ReadInitialData;
  readonly preloadLinks: PreloadLinks;
}

export function createIndexPage({ html, readInitialData, preloadLinks }: IndexPageParts): IndexPage {
  const map = importMap.exec(html)?.[1];
  const mapSource = map === undefined ? '' : ` '${hashSource(map)}'`;
  return {
    async send(response, path, caller) {
      const data = await readInitialData(path, caller);
      const [initialData, links] = [embeddedJson(data), 'isSignedOut' in data ? '' : preloadLinks(path, data)];
      const nonce = randomBytes(16).toString('base64');
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, mapSource));
      response.setHeader('Referrer-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.end(
        html
          .replaceAll(noncePlaceholder, nonce)
          .replace('</head>', () => `${links}</head>`)
          .replace(initialDataPlaceholder, () => initialData),
      );
    },
  };
}

/** The only inline script that may run is the one with exactly this text. */
function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** JSON that no text in it can end as an element of the page. */
function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/**
 * The content security policy of the pages: run their own scripts, those of plugins, and call this platform. The style elements that the
 * component library makes carry the nonce. Images from elsewhere are shown as links.
 */
function contentSecurityPolicy(nonce: string, mapSource: string): string {
  return [
    "default-src 'none'",
    `script-src 'self'${mapSource}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

import { isTextLine } from '@gantry/contracts';
import { invalidParameter } from '@gantry/plugin-api';

/** The pages begin here. */
export const pagesPath = '/admin/';

const maxLength = 1_000;
const anyOrigin = 'http://gantry.invalid';

/**
 * Where the browser goes after the sign-in: an address of the pages, as path and query. Every other one is refused, so that no link
 * to the platform leads elsewhere.
 * @throws GantryError BAD_REQUEST
 */
export function parseReturnPath(text: string | undefined): string {
  if (text === undefined) return pagesPath;
  const isPlain = isTextLine(text, maxLength) && /^\/admin(?:[/?]|$)/.test(text) && !/[\\#]/.test(text);
  const url = isPlain && URL.canParse(text, anyOrigin) ? new URL(text, anyOrigin) : undefined;
  // As a browser reads it: dots may lead out of the pages.
  if (url?.origin === anyOrigin && /^\/admin(?:\/|$)/.test(url.pathname)) return url.pathname + url.search;
  throw invalidParameter(
    'returnTo',
    `returnTo must be a path of the pages, such as ${pagesPath}content/product, of at most ${maxLength} characters`,
  );
}

import { isTextLine } from '@gantry/contracts';
import { z } from 'zod';

/** The pages begin here. */
export const pagesPath = '/admin/';

const maxLength = 1_000;
const anyOrigin = 'http://gantry.invalid';

/**
 * Where the browser goes after the sign-in: an address of the pages, as path and query. Every other one is refused, so that no link
 * to the platform leads elsewhere.
 */
export const returnPath = z
  .string()
  .refine((text) => pathOfPages(text) !== undefined, {
    error: `returnTo must be a path of the pages, such as ${pagesPath}content/product, of at most ${maxLength} characters`,
  })
  .default(pagesPath)
  .meta({ maxLength, pattern: String.raw`^/admin(?:[/?][^\\#]*)?$` });

/** A path of the pages as a browser reads it: dots may lead out of them. @returns undefined for any other text */
export function pathOfPages(text: string): string | undefined {
  const isPlain = isTextLine(text, maxLength) && /^\/admin(?:[/?]|$)/.test(text) && !/[\\#]/.test(text);
  const url = isPlain && URL.canParse(text, anyOrigin) ? new URL(text, anyOrigin) : undefined;
  const isOfPages = url?.origin === anyOrigin && /^\/admin(?:\/|$)/.test(url.pathname);
  return isOfPages ? url.pathname + url.search : undefined;
}

import { z } from 'zod';

/** A file that an index offers. */
export interface IndexLink {
  readonly name: string;
  readonly url: URL;
  /** The SHA-256 sum that the index says, in hexadecimal digits. */
  readonly sum: string | undefined;
}

/** Media types that `parsePage` reads, as the header `Accept`, in the order of preference. */
export const pageTypes =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01';

interface Page {
  readonly url: URL;
  readonly contentType: string;
  readonly text: string;
}

/** Reads the page of a package: JSON (PEP 691) or HTML (PEP 503). */
export function parsePage(page: Page): { readonly links: readonly IndexLink[] } | { readonly problem: string } {
  if (isJson(page.contentType)) {
    const links = readJson(page);
    return links === undefined ? { problem: 'has no list of files (PEP 691)' } : { links };
  }
  if (isHtml(page.contentType)) return { links: readHtml(page) };
  return { problem: `answered ${page.contentType || 'content without a type'}` };
}

function isJson(contentType: string): boolean {
  return contentType === 'application/json' || /^application\/vnd\.pypi\.simple\..*\+json$/.test(contentType);
}

function isHtml(contentType: string): boolean {
  return /^(?:text\/html|application\/(?:xhtml|vnd\.pypi\.simple\..*)\+(?:html|xml))$/.test(contentType);
}

const jsonPage = z.object({
  files: z.array(z.object({ url: z.string(), hashes: z.object({ sha256: z.string().optional() }) })),
});

/** @returns undefined when it is no such page */
function readJson({ url, text }: Page): readonly IndexLink[] | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const parsed = jsonPage.safeParse(content);
  return parsed.data?.files.flatMap((file) => linkOf(file.url, url, file.hashes.sha256));
}

/** Attributes may have `<` and `>` in their quotes. Their length is limited, so that the search of a page takes linear time. */
const tagPattern = /<(a|base)\s((?:[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}'){0,50000})>/gi;

/** Links are elements `a`; an element `base` changes what they are relative to. */
function readHtml({ url, text }: Page): readonly IndexLink[] {
  const tags = [...text.matchAll(tagPattern)].map(([, name = '', attributes = '']) => ({
    name: name.toLowerCase(),
    href: decodeEntities(
      /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes)?.slice(1).join('') ?? '',
    ),
  }));
  const base = tags.find(({ name }) => name === 'base')?.href ?? '';
  const from = URL.canParse(base, url.href) ? new URL(base, url) : url;
  return tags.filter(({ name }) => name === 'a').flatMap(({ href }) => linkOf(href, from));
}

function linkOf(href: string, base: URL, sum?: string): readonly IndexLink[] {
  if (!URL.canParse(href, base.href)) return [];
  const url = new URL(href, base);
  return [{ name: nameOf(url), url, sum: sum ?? /(?:^#|&)sha256=([\da-f]+)/i.exec(url.hash)?.[1] }];
}

function nameOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const entities: Readonly<Partial<Record<string, string>>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi,
    (whole: string, ...parts: (string | undefined)[]) => {
      const [decimal, hexadecimal, name = ''] = parts;
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
      return entities[name.toLowerCase()] ?? whole;
    },
  );
}

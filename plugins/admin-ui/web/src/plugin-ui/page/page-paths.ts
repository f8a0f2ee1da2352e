import type { PluginPage } from '@gantry/contracts';

/** The address of a plugin's page, below `/admin`. */
export function pageAddress(plugin: string, page: Pick<PluginPage, 'path'>): string {
  return page.path === '' ? `/x/${plugin}` : `/x/${plugin}/${page.path}`;
}

/** The page that a path belongs to, which is the one with the longest path, and what follows that. */
export function findPage(
  pages: readonly PluginPage[],
  path: string,
): { readonly page: PluginPage; readonly rest: string } | undefined {
  const fitting = pages
    .filter((page) => page.path === '' || path === page.path || path.startsWith(`${page.path}/`))
    .toSorted((left, right) => right.path.length - left.path.length);
  const [page] = fitting;
  if (page === undefined) return undefined;
  return { page, rest: page.path === '' ? path : path.slice(page.path.length + 1) };
}

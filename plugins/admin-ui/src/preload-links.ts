import type { InitialData } from './initial-data';

/** Addresses of scripts and styles that the build of the pages lists, by what they are for. */
export interface Preloads {
  /** The pages of an item, also of a new one. */
  readonly item: readonly string[];
  /** Controls of forms. */
  readonly controls: readonly string[];
  /** Imports of modules of plugins. */
  readonly plugins: readonly string[];
}

/** Elements for the head of a page: what it is about to load. @param path of the page, below the prefix of the application */
export type PreloadLinks = (path: string, data: Partial<Pick<InitialData, 'metadata' | 'pluginUis'>>) => string;

export function createPreloadLinks(preloads: Preloads): PreloadLinks {
  const item = linksTo(preloads.item);
  const controls = linksTo(preloads.controls, 'low');
  const plugins = linksTo(preloads.plugins);
  return (path, { metadata, pluginUis = [] }) => {
    if (!/^\/content\/[\w-]+\/(new|\d+)$/.test(path) || metadata === undefined) return '';
    const keys = new Set(metadata.fields.flatMap(({ name, type }) => [`${metadata.code}.${name}`, type]));
    const modules = pluginUis.flatMap(({ state, ui: { address, fields } }) =>
      state === 'started' && address !== undefined && fields.some((key) => keys.has(key)) ? [address] : [],
    );
    return [item, ...(modules.length === 0 ? [] : [plugins, linksTo(modules)]), controls].join('');
  };
}

/**
 * Links to scripts. Styles are left out: browsers report those that are then not used.
 * @param priority low for what only most pages need
 */
function linksTo(addresses: readonly string[], priority?: 'low'): string {
  const attribute = priority === undefined ? '' : ` fetchpriority="${priority}"`;
  return addresses
    .filter((address) => address.endsWith('.js'))
    .map((address) => `<link rel="modulepreload" crossorigin href="${escapeAttribute(address)}"${attribute}>`)
    .join('');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

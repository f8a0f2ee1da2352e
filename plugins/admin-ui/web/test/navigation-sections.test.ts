import type { ModelInfo } from '@gantry/contracts';
import { fixedEntries, navigationOf, settingsEntry, type NavigationRequest } from '../src/shell/navigation-sections';

const type = (code: string, plural: string, plugin: string, readOnly = false): ModelInfo => ({
  type: code,
  displayName: code,
  displayNamePlural: plural,
  plugin: plugin.toLowerCase(),
  pluginName: plugin,
  readOnly,
});
const types = [
  type('product', 'Products', 'Catalog'),
  type('catalog', 'Catalogs', 'Catalog'),
  type('article', 'Articles', 'Articles'),
  type('event', 'Events', 'Events'),
  type('refund', 'Refunds', 'Payment', true),
];

function shown(request: Partial<NavigationRequest>) {
  const groups = navigationOf({ types, pages: [], favourites: [], ...request });
  return groups.map(({ label, entries }) => [label, ...entries.map((entry) => entry.label)]);
}

describe('the navigation', () => {
  test('has content by plugin, those with one entry together, then operations and what services write', () => {
    expect(shown({})).toEqual([
      ['Content', 'Articles', 'Events'],
      ['Catalog', 'Catalogs', 'Products'],
      ['Operations', 'Orders', 'Workflows'],
      ['Records', 'Refunds'],
    ]);
  });

  test('has no heading that repeats one of its entries', () => {
    const more = [...types, type('trending', 'Trending articles', 'Articles')];
    expect(shown({ types: more })[0]).toEqual(['Content', 'Articles', 'Trending articles', 'Events']);
  });

  test('begins with favourites in their order, and marks them where they are listed again', () => {
    const groups = navigationOf({ types, pages: [], favourites: ['product', 'gone', 'catalog'] });
    const marks = (label: string) =>
      groups.find((group) => group.label === label)?.entries.map((entry) => [entry.label, entry.isRepeated]);
    expect(groups[0]?.label).toBe('Favourites');
    expect(marks('Favourites')).toEqual([
      ['Products', undefined],
      ['Catalogs', undefined],
    ]);
    expect(marks('Catalog')).toEqual([
      ['Catalogs', true],
      ['Products', true],
    ]);
  });

  test('leads to the settings by one entry, and to all of them from the palette', () => {
    expect([settingsEntry?.label, settingsEntry?.to]).toEqual(['Settings', '/plugins']);
    expect(fixedEntries.map(({ label }) => label)).toEqual([
      'Home',
      'Orders',
      'Workflows',
      'Plugins',
      'Audit',
      'Webhooks',
      'Documentation',
    ]);
  });
});

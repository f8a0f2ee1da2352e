import type { ModelInfo } from '@gantry/contracts';
import { navigationOf, type NavigationRequest } from '../src/shell/navigation-sections';

const type = (code: string, plural: string, readOnly = false): ModelInfo => ({
  type: code,
  displayName: code,
  displayNamePlural: plural,
  plugin: readOnly ? 'payment' : 'catalog',
  pluginName: readOnly ? 'Payment' : 'Catalog',
  readOnly,
});
const types = [type('product', 'Products'), type('catalog', 'Catalogs'), type('refund', 'Refunds', true)];

function shown(request: Partial<NavigationRequest>) {
  const { home, sections, isEmpty } = navigationOf({ types, pages: [], favourites: [], filter: '', ...request });
  const groups = sections.map(({ label, groups: members }) => [
    label,
    ...members.map((group) => [group.label, ...group.entries.map((entry) => entry.label)]),
  ]);
  return { home: home.map(({ label }) => label), groups, isEmpty };
}

describe('the navigation', () => {
  test('has content by plugin, and what services write as records under operations', () => {
    expect(shown({})).toEqual({
      home: ['Home'],
      groups: [
        ['Content', ['Catalog', 'Catalogs', 'Products']],
        ['Operations', [undefined, 'Orders', 'Workflows'], ['Records', 'Refunds']],
        ['System', [undefined, 'Plugins', 'Audit', 'Webhooks', 'Documentation']],
      ],
      isEmpty: false,
    });
  });

  test('begins with favourites in their order, and marks them where they are listed again', () => {
    const { sections } = navigationOf({ types, pages: [], favourites: ['product', 'gone', 'catalog'], filter: '' });
    const [favourites, catalog] = sections[0]?.groups ?? [];
    expect(favourites?.entries.map(({ label, isRepeated }) => [label, isRepeated])).toEqual([
      ['Products', undefined],
      ['Catalogs', undefined],
    ]);
    expect(catalog?.entries.map(({ label, isRepeated }) => [label, isRepeated])).toEqual([
      ['Catalogs', true],
      ['Products', true],
    ]);
  });

  test('keeps only what matches the filter, by name, code or plugin', () => {
    expect(shown({ filter: ' refu' }).groups).toEqual([['Operations', ['Records', 'Refunds']]]);
    expect(shown({ filter: 'plugins' })).toEqual({
      home: [],
      groups: [['System', [undefined, 'Plugins']]],
      isEmpty: false,
    });
    expect(shown({ filter: 'nothing of the kind' })).toEqual({ home: [], groups: [], isEmpty: true });
  });
});

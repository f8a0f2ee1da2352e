import type { ItemMetadata, PluginUiReport } from '@gantry/contracts';
import { createPreloadLinks } from '../src/preload-links';

const links = createPreloadLinks({
  item: ['/admin/assets/item.js', '/admin/assets/item.css'],
  controls: ['/admin/assets/controls.js'],
  plugins: ['/admin/assets/surface.js'],
});

const metadata = {
  code: 'place',
  fields: [
    { name: 'code', type: 'STRING' },
    { name: 'location', type: 'geo.Point' },
  ],
} as unknown as ItemMetadata;

const pluginWith = (ui: Partial<PluginUiReport['ui']>, state = 'started') =>
  ({ id: 'geo', displayName: 'Geo', state, problems: [], ui: { address: '/plugins/geo/ui/index.js', ...ui } }) as never;

const addresses = (path: string, ...pluginUis: readonly PluginUiReport[]): readonly string[] =>
  [...links(path, { metadata, pluginUis }).matchAll(/href="([^"]+)"/g)].map(([, address]) => address ?? '');

describe('what a page is about to load', () => {
  it('is the page of an item and the controls of its form', () => {
    expect(addresses('/content/place/7')).toEqual(['/admin/assets/item.js', '/admin/assets/controls.js']);
    expect(addresses('/content/place/new')).toEqual(['/admin/assets/item.js', '/admin/assets/controls.js']);
  });

  it.each([['geo.Point'], ['place.code']])(
    'is the module of a plugin with a control for %s, and what it imports',
    (key) => {
      expect(addresses('/content/place/7', pluginWith({ fields: [key] }))).toEqual([
        '/admin/assets/item.js',
        '/admin/assets/surface.js',
        '/plugins/geo/ui/index.js',
        '/admin/assets/controls.js',
      ]);
    },
  );

  it.each([
    ['for another type', pluginWith({ fields: ['other.code'] })],
    ['for cells only', pluginWith({ fields: [], cells: ['geo.Point'] })],
    ['that is not running', pluginWith({ fields: ['geo.Point'] }, 'stopped')],
    ['whose module is not served', pluginWith({ fields: ['geo.Point'], address: undefined as never })],
  ])('is no module of a plugin %s', (_what, plugin) => {
    expect(addresses('/content/place/7', plugin)).not.toContain('/admin/assets/surface.js');
  });

  it.each(['/', '/content/place', '/content/place/import', '/content/place/7/history', '/plugins'])(
    'is nothing at %s',
    (path) => expect(links(path, { metadata, pluginUis: [] })).toBe(''),
  );

  it('is nothing for a type that is not there, and cannot end an attribute', () => {
    expect(links('/content/gone/7', {})).toBe('');
    expect(
      links('/content/place/7', { metadata, pluginUis: [pluginWith({ fields: ['geo.Point'], address: '/"><i' })] }),
    ).not.toContain('<i');
  });
});

import type { ModelInfo } from '@gantry/contracts';
import { groupByPlugin } from '../web/src/plugin-ui/group-by-plugin';
import type { PluginPageEntry } from '../web/src/plugin-ui/page/plugin-page-entry';

const type = (plugin: string, pluginName: string, displayName: string): ModelInfo => ({
  type: displayName.toLowerCase(),
  displayName,
  displayNamePlural: displayName,
  plugin,
  pluginName,
  readOnly: false,
});

describe('the groups of the menu', () => {
  it('are called as their plugins call themselves, and are in the order of these names', () => {
    const types = [type('seo', 'SEO', 'Redirect'), type('email', 'Email', 'Template'), type('email', 'Email', 'List')];
    const pages = [
      { plugin: 'maps', pluginName: 'Maps & routes', label: 'Map', to: '/x/maps' },
    ] as never as readonly PluginPageEntry[];
    const groups = groupByPlugin(types, pages).map(({ label, types: members, pages: own }) => [
      label,
      ...members.map(({ displayName }) => displayName),
      ...(own ?? []).map((page) => page.label),
    ]);
    expect(groups).toEqual([
      ['Email', 'List', 'Template'],
      ['Maps & routes', 'Map'],
      ['SEO', 'Redirect'],
    ]);
  });
});

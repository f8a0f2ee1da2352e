import type { PluginReport } from '@gantry/contracts';
import {
  contributionText,
  formatPluginListState,
  isInTab,
  listPlugins,
  matchesText,
  parsePluginListState,
  reasonAgainstStart,
  startTime,
  stateText,
} from '../web/src/plugins/plugin-list';

describe('the list of plugins', () => {
  it('begins with those that need a person, and names a second package with the same id', () => {
    const plugins = [plugin('media'), plugin('shop', { state: 'incompatible' }), plugin('shop', { state: 'failed' })];

    expect(listPlugins(plugins).map(({ key }) => key)).toEqual(['shop', 'shop.2', 'media']);
  });

  it('counts blocked and incompatible plugins as failed', () => {
    const states = ['failed', 'blocked', 'incompatible', 'disabled', 'started'] as const;
    const inTab = (tab: 'failed' | 'disabled') => states.filter((state) => isInTab(plugin('shop', { state }), tab));

    expect(inTab('failed')).toEqual(['failed', 'blocked', 'incompatible']);
    expect(inTab('disabled')).toEqual(['disabled']);
  });

  it('is filtered by all words of a text', () => {
    const shop = plugin('shop', { contributes: { itemTypes: ['basket'], taskQueues: [], routes: [] } });

    expect(matchesText(shop, ' running  BASKET ')).toBe(true);
    expect(matchesText(shop, 'basket failed')).toBe(false);
  });

  it('keeps tab, filter and open plugin in the address, and leaves out what is no state', () => {
    const address = '?state=failed&q=a+b&plugin=shop';

    expect(formatPluginListState(parsePluginListState(new URLSearchParams(address)))).toBe(address);
    expect(formatPluginListState(parsePluginListState(new URLSearchParams('?state=nothing')))).toBe('?');
  });

  it('sums up what a plugin contributes and how long its start took', () => {
    const shop = plugin('shop', {
      contributes: { itemTypes: ['basket', 'shelf'], taskQueues: ['shop'], routes: [] },
      timings: { load: 20, start: 5 },
    });

    expect(contributionText(shop)).toBe('2 item types, 1 task queue');
    expect(startTime(shop)).toBe(25);
    expect(startTime(plugin('shop'))).toBeUndefined();
  });

  it('tells a new package from a plugin that was stopped', () => {
    expect(stateText(plugin('shop', { state: 'stopped', phase: 'order' }))).toBe('New, not in use');
    expect(stateText(plugin('shop', { state: 'stopped', phase: 'start' }))).toBe('Stopped');
  });
});

describe('a check that found nothing', () => {
  const problem = { phase: 'start', code: 'START_FAILED', reason: 'No paper', remedy: 'Add paper' } as const;

  it.each(['failed', 'blocked', 'incompatible'] as const)('does not promise a start of a %s plugin', (state) => {
    expect(reasonAgainstStart(plugin('shop', { state, problems: [problem] }), '1.0.0')).toBe(problem);
  });

  it('says nothing of the problems of another version, or of one that runs', () => {
    expect(reasonAgainstStart(plugin('shop', { state: 'failed', problems: [problem] }), '1.0.1')).toBeUndefined();
    expect(reasonAgainstStart(plugin('shop'), '1.0.0')).toBeUndefined();
  });
});

function plugin(id: string, part: Partial<PluginReport> = {}): PluginReport {
  return {
    id,
    displayName: id,
    packageName: `@acme/${id}`,
    version: '1.0.0',
    folder: `plugins/${id}`,
    state: 'started',
    phase: 'start',
    problems: [],
    dependsOn: {},
    contributes: { itemTypes: [], taskQueues: [], routes: [] },
    timings: {},
    ...part,
  };
}

import type { RouteCalls } from '@gantry/core-loader';
import { viewsFor } from '../../src/platform/contributed-routes';
import type { Rights } from '../../src/ports/rights';

describe('the cards and pages of plugins', () => {
  const rights = (...permissions: readonly string[]) => ({ may: (one) => permissions.includes(one) }) as Rights;
  const view = { plugin: 'notes', pluginName: 'Notes', title: 'Notes', path: '/notes' };
  const text = { name: 'id', title: 'Id', kind: 'text' } as const;
  const access = { permission: 'notes.read' };
  const calls: RouteCalls = {
    commands: [],
    homeCards: [
      { card: { ...view, name: 'own', text }, access },
      { card: { ...view, name: 'all', text }, access: 'signed-in' },
    ],
    tablePages: [{ page: { ...view, name: 'table', icon: 'plug', columns: [text], actions: [] }, access }],
  };
  const namesFor = (who: Rights) => {
    const { homeCards, tablePages } = viewsFor([calls], who);
    return [homeCards, tablePages].map((views) => views.map(({ name }) => name));
  };

  it('are shown to those who may use their routes', () => {
    expect(namesFor(rights('notes.read'))).toEqual([['own', 'all'], ['table']]);
    expect(namesFor(rights())).toEqual([['all'], []]);
  });
});

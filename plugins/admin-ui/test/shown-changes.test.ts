import type { PluginChange } from '@gantry/contracts';
import { shownChanges } from '../web/src/plugins/shown-changes';

describe('of the changes of the plugins, a page shows', () => {
  it('those under way in the order asked for, so that the one that others wait for comes first', () => {
    const changes = [change('c', 'waiting'), change('b', 'waiting'), change('a', 'starting')];

    expect(shown(changes)).toEqual(['a', 'b', 'c']);
  });

  it('what failed on this visit although another change has ended since, and what succeeded only as the last one', () => {
    const changes = [change('c', 'done'), change('b', 'failed'), change('a', 'done')];

    expect(shown(changes, ['a', 'b', 'c'])).toEqual(['b', 'c']);
    expect(shown(changes)).toEqual(['c']);
  });

  it('no failure any more when the same plugin was changed again', () => {
    const changes = [change('b', 'done', ['events']), change('a', 'failed', ['events'])];

    expect(shown(changes, ['a', 'b'])).toEqual(['b']);
  });

  it('nothing that was put away', () => {
    expect(shown([change('b', 'done'), change('a', 'failed')], ['a', 'b'], ['a', 'b'])).toEqual([]);
  });
});

function shown(
  changes: readonly PluginChange[],
  followed: readonly string[] = [],
  dismissed: readonly string[] = [],
): readonly string[] {
  return shownChanges(changes, { followed: new Set(followed), dismissed: new Set(dismissed) }).map(({ id }) => id);
}

function change(id: string, phase: PluginChange['phase'], plugins: readonly string[] = [id]): PluginChange {
  const since = '2026-01-01T00:00:00Z';
  return { id, action: 'disable', plugins, phase, requestedAt: since, since };
}

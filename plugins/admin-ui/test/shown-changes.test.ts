import type { PluginChange } from '@gantry/contracts';
import { shownChanges } from '../web/src/plugins/change/shown-changes';

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

  it('what succeeded for a minute, and what failed until it was seen', () => {
    const changes = [change('b', 'done'), change('a', 'failed')];

    expect(shown(changes, ['a', 'b'], [], 61_000)).toEqual(['a']);
  });

  it('nothing that was put away', () => {
    expect(shown([change('b', 'done'), change('a', 'failed')], ['a', 'b'], ['a', 'b'])).toEqual([]);
  });
});

const since = '2026-01-01T00:00:00Z';

function shown(
  changes: readonly PluginChange[],
  followed: readonly string[] = [],
  dismissed: readonly string[] = [],
  afterMs = 30_000,
): readonly string[] {
  const seen = { followed: new Set(followed), dismissed: new Set(dismissed) };
  return shownChanges(changes, seen, Date.parse(since) + afterMs).map(({ id }) => id);
}

function change(id: string, phase: PluginChange['phase'], plugins: readonly string[] = [id]): PluginChange {
  return { id, action: 'disable', plugins, phase, requestedAt: since, since };
}

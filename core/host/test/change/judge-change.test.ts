import fc from 'fast-check';
import type { AnswerCount } from '@gantry/contracts';
import { createAnswerCounts } from '../../src/change/watch/answer-counts';
import { concernedBy } from '../../src/change/watch/concerned-by';
import {
  addLook,
  judgeChange,
  noFindings,
  type ChangeFailure,
  type Look,
  type WatchedChange,
} from '../../src/change/watch/judge-change';

const sound: Look = { isSound: true, unhealthy: new Map(), answers: {} };
const change: WatchedChange = {
  concerned: new Set(['recipes', 'menus']),
  added: new Set(),
  before: { healthy: ['recipes', 'menus', 'events'], answers: { events: { answers: 200, faults: 0 } } },
};

function unhealthy(plugin: string, message = ''): Look {
  return { ...sound, unhealthy: new Map([[plugin, message]]) };
}

function answered(plugin: string, answers: number, faults: number): Look {
  return { ...sound, answers: { [plugin]: { answers, faults } } };
}

/** What is found after each of the looks, the first failure that counts. */
function judge(looks: readonly Look[], watched: WatchedChange = change): ChangeFailure | undefined {
  let findings = noFindings;
  for (const look of looks) {
    findings = addLook(findings, look);
    const failure = judgeChange(findings, watched);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function times<T>(count: number, one: T): readonly T[] {
  return Array.from({ length: count }, () => one);
}

describe('the health of plugins after a change', () => {
  it('counts when one that was healthy is not for six looks in a row', () => {
    const failure = judge(times(6, unhealthy('recipes', 'The oven is cold.')));

    expect(failure).toEqual({
      code: 'PLUGIN_UNHEALTHY',
      plugin: 'recipes',
      reason: expect.stringMatching(/: The oven is cold$/),
    });
  });

  it('counts for plugins that depend on the changed one', () => {
    expect(judge(times(6, unhealthy('menus')))?.plugin).toBe('menus');
  });

  it.each<[string, readonly Look[], Partial<WatchedChange>]>([
    ['for less than that', times(5, unhealthy('recipes')), {}],
    ['when it recovers in between', [...times(5, unhealthy('recipes')), sound, ...times(5, unhealthy('recipes'))], {}],
    ['when it was not well before', times(20, unhealthy('recipes')), { before: { healthy: [], answers: {} } }],
    ['of a plugin that the change is not about', times(20, unhealthy('events')), {}],
    ['while the database is unavailable', times(20, { ...unhealthy('recipes'), isSound: false }), {}],
    [
      'when the database is unavailable in between',
      [...times(5, unhealthy('recipes')), { ...sound, isSound: false }, ...times(5, unhealthy('recipes'))],
      {},
    ],
  ])('does not count %s', (_name, looks, more) => {
    expect(judge(looks, { ...change, ...more })).toBeUndefined();
  });
});

describe('the answers of plugins after a change', () => {
  it('count when the share of faults of a changed plugin is a tenth and has tripled', () => {
    const before = { healthy: [], answers: { recipes: { answers: 100, faults: 3 } } };

    expect(judge([answered('recipes', 100, 9)], { ...change, before })).toBeUndefined();
    expect(judge([answered('recipes', 100, 12)], { ...change, before })).toEqual({
      code: 'PLUGIN_ERROR_RATE',
      plugin: 'recipes',
      reason: expect.stringMatching(/ 12 of 100 .*\(12 %, 3 % /),
    });
  });

  it('count for a plugin that did not run before, and for one that was not asked for anything', () => {
    expect(judge([answered('recipes', 20, 10)], { ...change, added: new Set(['recipes']) })?.reason).toMatch(
      / 10 of 20 .*\(50 %\)$/,
    );
    expect(judge([answered('recipes', 20, 10)])?.plugin).toBe('recipes');
  });

  it('count for any other plugin from half of them on', () => {
    expect(judge([answered('events', 100, 49)])).toBeUndefined();
    expect(judge([answered('events', 100, 50)])?.plugin).toBe('events');
  });

  it.each<[string, readonly Look[], Partial<WatchedChange>]>([
    ['with few answers', [answered('recipes', 19, 19)], {}],
    ['with few faults', [answered('recipes', 20, 9)], {}],
    [
      'with as many before',
      [answered('recipes', 100, 60)],
      { before: { healthy: [], answers: { recipes: { answers: 50, faults: 25 } } } },
    ],
    ['of another plugin of which nothing is known', [answered('articles', 100, 100)], {}],
    ['that came while the database was unavailable', [{ ...answered('recipes', 100, 100), isSound: false }], {}],
    [
      'that came until the database was available again',
      [{ ...sound, isSound: false }, answered('recipes', 100, 100), answered('recipes', 120, 100)],
      {},
    ],
  ])('do not count %s', (_name, looks, more) => {
    expect(judge(looks, { ...change, ...more })).toBeUndefined();
  });

  it('never count without faults or while the database is unavailable, whatever else comes', () => {
    const count = fc.nat({ max: 10_000 });
    const plugin = fc.constantFrom('recipes', 'menus', 'events', 'articles');
    const answers = fc.dictionary(plugin, fc.record({ answers: count, faults: count }));
    const looks = fc.array(fc.record({ isSound: fc.boolean(), answers }), { maxLength: 30 });
    const added = fc.uniqueArray(plugin).map((some) => new Set<string>(some));
    fc.assert(
      fc.property(looks, added, answers, (some, isAdded, before) => {
        const watched = { ...change, added: isAdded, before: { healthy: [], answers: before } };
        expect(
          judge(
            cumulated(some, ({ isSound }) => !isSound),
            watched,
          ),
        ).toBeUndefined();
      }),
    );
  });

  /** Looks whose answers grow; faults come only between looks of which one meets an unavailable database. */
  function cumulated(
    looks: readonly { readonly isSound: boolean; readonly answers: Readonly<Record<string, AnswerCount>> }[],
    mayFail: (look: { readonly isSound: boolean }) => boolean,
  ): readonly Look[] {
    const total = new Map<string, AnswerCount>();
    return looks.map((look, index) => {
      const previous = looks[index - 1];
      const isExcused = mayFail(look) || (previous !== undefined && mayFail(previous));
      for (const [plugin, { answers, faults }] of Object.entries(look.answers)) {
        const known = total.get(plugin) ?? { answers: 0, faults: 0 };
        total.set(plugin, { answers: known.answers + answers, faults: known.faults + (isExcused ? faults : 0) });
      }
      return { isSound: look.isSound, unhealthy: new Map(), answers: Object.fromEntries(total) };
    });
  }
});

describe('counted answers', () => {
  it('are those of the last ten minutes, or all', () => {
    let now = 0;
    const counts = createAnswerCounts(() => now);
    counts.count('recipes', true);
    now = 9.5 * 60_000;
    counts.count('recipes', false);

    expect(counts.recent()).toEqual({ recipes: { answers: 2, faults: 1 } });
    now = 11 * 60_000;
    expect(counts.recent()).toEqual({ recipes: { answers: 1, faults: 0 } });
    expect(counts.total()).toEqual({ recipes: { answers: 2, faults: 1 } });
    counts.forget();
    expect([counts.recent(), counts.total()]).toEqual([{}, {}]);
  });
});

it('a change is about its plugins and those that depend on them, also over others', () => {
  const plugin = (id: string, needs: readonly string[], uses: readonly string[] = []) => ({
    id,
    dependsOn: Object.fromEntries(needs.map((one) => [one, '*'])),
    optionalDependsOn: Object.fromEntries(uses.map((one) => [one, '*'])),
  });
  const all = [plugin('menus', ['recipes']), plugin('feasts', [], ['menus']), plugin('recipes', ['articles'])];

  expect(concernedBy(all, ['recipes'])).toEqual(['recipes', 'menus', 'feasts']);
});

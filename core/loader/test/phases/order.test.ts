import { order, type AbsentPlugin, type OrderedPlugin } from '../../src/phases/order';

function plugin(
  id: string,
  dependsOn: Readonly<Record<string, string>> = {},
  rest: Partial<OrderedPlugin> = {},
): OrderedPlugin {
  return { id, version: '1.0.0', dependsOn, optionalDependsOn: {}, ...rest };
}

function run(plugins: readonly OrderedPlugin[], absent: Readonly<Record<string, AbsentPlugin>> = {}) {
  const { order: sorted, problems } = order(plugins, new Map(Object.entries(absent)));
  return {
    order: sorted,
    problems: Object.fromEntries(
      [...problems].map(([id, own]) => [id, own.map(({ code, reason }) => `${code}: ${reason}`)]),
    ),
  };
}

describe('order', () => {
  it('puts every plugin after those it depends on', () => {
    const plugins = [plugin('a', { c: '*' }), plugin('b'), plugin('c', { d: '*' }), plugin('d')];
    expect(run(plugins)).toEqual({ order: ['d', 'c', 'a', 'b'], problems: {} });
  });

  it('puts a plugin after its optional dependencies that are there', () => {
    expect(run([plugin('a', {}, { optionalDependsOn: { b: '*', absent: '*' } }), plugin('b')]).order).toEqual([
      'b',
      'a',
    ]);
  });

  it('names a cycle with its full path, for each of its members, and blocks who depends on one', () => {
    const cycle = expect.stringMatching(/^DEPENDENCY_CYCLE: .*: a → b → c → a$/);
    expect(
      run([
        plugin('b', { c: '*' }),
        plugin('a', { b: '*' }),
        plugin('c', { a: '*' }),
        plugin('d', { a: '*' }),
        plugin('e'),
      ]),
    ).toEqual({
      order: ['e'],
      problems: {
        a: [cycle],
        b: [cycle],
        c: [cycle],
        d: [expect.stringMatching(/^DEPENDENCY_FAILED: .* plugin a, .*: a → b → c → a$/)],
      },
    });
  });

  it('names a cycle of one, and one that an optional dependency closes', () => {
    const { problems } = run([
      plugin('a', { a: '*' }),
      plugin('b', {}, { optionalDependsOn: { c: '*' } }),
      plugin('c', { b: '*' }),
    ]);
    expect(problems).toEqual({
      a: [expect.stringMatching(/^DEPENDENCY_CYCLE: .*: a → a$/)],
      b: [expect.stringMatching(/^DEPENDENCY_CYCLE: .*: b → c → b$/)],
      c: [expect.stringMatching(/^DEPENDENCY_CYCLE: .*: b → c → b$/)],
    });
  });

  it('names every dependency that is missing, disabled, failed or of another version', () => {
    const plugins = [plugin('a', { gone: '^1.0.0', off: '*', broken: '*', b: '^2.0.0' }), plugin('b')];
    const absent = {
      off: { state: 'disabled', reason: '' },
      broken: { state: 'incompatible', reason: 'it is too old' },
    } as const;
    expect(run(plugins, absent)).toEqual({
      order: ['b'],
      problems: {
        a: [
          expect.stringMatching(/^DEPENDENCY_MISSING: .* gone \^1\.0\.0/),
          expect.stringMatching(/^DEPENDENCY_DISABLED: .* plugin off\b/),
          expect.stringMatching(/^DEPENDENCY_FAILED: .* plugin broken, .*: it is too old$/),
          expect.stringMatching(/^DEPENDENCY_VERSION: .* b \^2\.0\.0, .* 1\.0\.0$/),
        ],
      },
    });
  });

  it('continues without an optional dependency that cannot be used, but not with one of another version', () => {
    const optional = { optionalDependsOn: { b: '^2.0.0', off: '*' } };
    expect(run([plugin('a', {}, optional)], { off: { state: 'disabled', reason: '' } }).order).toEqual(['a']);
    expect(run([plugin('a', {}, optional), plugin('b')]).problems).toEqual({
      a: [expect.stringMatching(/^DEPENDENCY_VERSION: .* b \^2\.0\.0, .* 1\.0\.0$/)],
    });
  });

  it('takes a prerelease for the range it leads to', () => {
    expect(run([plugin('a', { b: '^1.0.0' }), plugin('b', {}, { version: '1.1.0-beta.1' })]).order).toEqual(['b', 'a']);
  });

  it('keeps the order given among plugins that do not depend on each other', () => {
    expect(run([plugin('z'), plugin('m', { k: '*' }), plugin('a'), plugin('k')]).order).toEqual(['z', 'k', 'm', 'a']);
  });

  it('blocks along a chain, each naming the next', () => {
    const { problems } = run([plugin('a', { b: '*' }), plugin('b', { c: '*' }), plugin('c', { gone: '*' })]);
    expect(problems).toMatchObject({
      a: [expect.stringMatching(/^DEPENDENCY_FAILED: .* plugin b, .* plugin c, .* plugin gone/)],
      b: [expect.stringMatching(/^DEPENDENCY_FAILED: .* plugin c, .* plugin gone/)],
    });
  });

  it('orders a thousand plugins in a chain', () => {
    const plugins = Array.from({ length: 1000 }, (_, index) =>
      plugin(`p${index}`, index < 999 ? { [`p${index + 1}`]: '*' } : {}),
    );
    const sorted = run(plugins).order;
    expect([sorted.length, sorted[0], sorted[999]]).toEqual([1000, 'p999', 'p0']);
  });
});

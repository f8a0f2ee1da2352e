import { attributeStack } from '../../src/execution/attribute-stack';

const plugins = [
  { id: 'boats', folder: '/srv/plugins/boats', isRequired: false },
  { id: 'oars', folder: '/srv/plugins/boats/node_modules/oars', isRequired: false },
  { id: 'harbours', folder: '/srv/with space/harbours', isRequired: false },
];

function stackOf(...frames: readonly string[]): string {
  return ['Error: sunk by /srv/plugins/boats/index.js:1:1', ...frames.map((frame) => `    at ${frame}`)].join('\n');
}

describe('attributeStack', () => {
  it.each([
    ['a CommonJS file', 'Timeout._onTimeout (/srv/plugins/boats/lib/boat.js:3:12)', 'boats', 'lib/boat.js:3:12'],
    ['a file without a function', '/srv/plugins/boats/index.js:3:12', 'boats', 'index.js:3:12'],
    ['an ES module', 'async file:///srv/with%20space/harbours/index.mjs:7:1', 'harbours', 'index.mjs:7:1'],
    [
      'a package of its own',
      'Row.pull (/srv/plugins/boats/node_modules/row/x.js:1:2)',
      'boats',
      'node_modules/row/x.js:1:2',
    ],
    ['a plugin within another one', 'pull (/srv/plugins/boats/node_modules/oars/x.js:1:2)', 'oars', 'x.js:1:2'],
    [
      'an evaluated file',
      'eval (eval at run (/srv/plugins/boats/index.js:3:12), <anonymous>:1:1)',
      'boats',
      'index.js:3:12',
    ],
    ['no plugin', 'run (/srv/host/main.js:3:12)', undefined, ''],
  ])('finds the plugin of %s', (_what, frame, plugin, position) => {
    const found = attributeStack(stackOf('internal (node:internal/timers:581:17)', frame), plugins);
    expect(found).toEqual(plugin === undefined ? undefined : { plugin, position });
  });

  it('takes the innermost of several', () => {
    const stack = stackOf(
      'listOnTimeout (node:internal/timers:581:17)',
      'dock (/srv/with space/harbours/index.js:1:1)',
      'sail (/srv/plugins/boats/index.js:1:1)',
    );
    expect(attributeStack(stack, plugins)?.plugin).toBe('harbours');
  });

  it('does not take a folder whose name only begins like that of a plugin, nor what the message says', () => {
    expect(attributeStack(stackOf('sail (/srv/plugins/boats-old/index.js:1:1)'), plugins)).toBeUndefined();
  });
});

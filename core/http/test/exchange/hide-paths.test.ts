import { join } from 'node:path';
import { createHidePaths } from '../../src/exchange/answer/hide-paths';

const project = '/srv/shop';
const hide = createHidePaths(
  { project, home: join(project, '.gantry'), pluginPath: [join(project, 'plugins'), '/opt/added plugins'] },
  () => ['/home/ann/colours', '/srv/shop/plugins/recipes'],
);

describe('paths in an answer', () => {
  it.each([
    ['/srv/shop/plugins/recipes', 'plugins/recipes'],
    ['/srv/shop/node_modules/@acme/x/package.json is not valid', 'node_modules/@acme/x/package.json is not valid'],
    ['/srv/shop/.gantry/plugins.json', '.gantry/plugins.json'],
    ['/opt/added plugins/y/index.js', 'added plugins/y/index.js'],
    [
      "EACCES: permission denied, open '/home/ann/colours/index.js'",
      "EACCES: permission denied, open 'colours/index.js'",
    ],
    ['POST /api/cms/items/article and /srv/shopping stay', 'POST /api/cms/items/article and /srv/shopping stay'],
  ])('of the machine, as in %j, are shown as %j', (text, shown) => {
    expect(JSON.parse(hide(JSON.stringify({ text })))).toEqual({ text: shown });
  });

  it('are left alone where the project is the root of the file system', () => {
    const atRoot = createHidePaths({ project: '/', home: '/data', pluginPath: ['/plugins'] }, () => []);
    expect(atRoot('{"text":"/livez, /data/x"}')).toBe('{"text":"/livez, GANTRY_HOME/x"}');
  });
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('commands about users, roles and tokens, and those that ask a running platform about plugins', () => {
  it('start without the object-relational mapper and the plugin API, which take longer than they do', () => {
    const names = ['sequelize', 'sequelize-typescript', '@gantry/plugin-api'];
    const commands = ['users', 'roles', 'tokens', 'auth', 'oidc', 'plugins', 'plugins-change'];
    const script = `
      for (const name of ${JSON.stringify(commands)}) require('./dist/commands/' + name + '.js');
      const { resolve } = require('node:module').createRequire(require.resolve('@gantry/host'));
      const loaded = new Set(Object.keys(require.cache));
      console.log(JSON.stringify(${JSON.stringify(names)}.filter((name) => loaded.has(resolve(name)))));
    `;

    const loaded: unknown = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { cwd: join(__dirname, '..'), encoding: 'utf8' }),
    );

    expect(loaded).toEqual([]);
  });
});

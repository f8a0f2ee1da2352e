import { join } from 'node:path';
import { loadedPackages } from '../../test/support/loaded-packages';

describe('commands about users, roles and tokens, and those that ask a running platform about plugins', () => {
  it('start without the object-relational mapper and the plugin API, which take longer than they do', () => {
    const commands = ['users', 'roles', 'tokens', 'auth', 'oidc', 'plugins', 'plugins-change'];
    const modules = commands.map((name) => join(__dirname, `../dist/commands/${name}.js`));

    expect(loadedPackages(modules, ['sequelize', 'sequelize-typescript', '@gantry/plugin-api'])).toEqual([]);
  });
});

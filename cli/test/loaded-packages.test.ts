import { join } from 'node:path';
import { loadedPackages } from '../../test/support/loaded-packages';

describe('commands about users, roles and tokens, and those that ask a running platform about plugins', () => {
  it('start without the object-relational mapper and the plugin API, which take longer than they do', () => {
    const accounts = ['users', 'roles', 'tokens', 'auth', 'oidc'].map((name) => `accounts/${name}`);
    const commands = [...accounts, 'plugins/plugins', 'plugins/plugins-change'];
    const modules = commands.map((name) => join(__dirname, `../dist/commands/${name}.js`));

    expect(loadedPackages(modules, ['sequelize', 'sequelize-typescript', '@gantry/plugin-api'])).toEqual([]);
  });
});

import { join } from 'node:path';
import { loadedPackages } from '../../../test/support/loaded-packages';

describe('the launcher', () => {
  it('starts without the object-relational mapper and the plugin API, which only a host needs', () => {
    const launcher = join(__dirname, '../dist/index.js');

    expect(loadedPackages([launcher], ['sequelize', 'sequelize-typescript', '@gantry/plugin-api'])).toEqual([]);
  });
});

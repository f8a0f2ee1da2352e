import { join } from 'node:path';
import { loadedPackages } from '../../../../test/support/loaded-packages';

describe('the process that packs packages', () => {
  it('starts without the object-relational mapper, which would take two thirds of its processor time', () => {
    const entry = join(__dirname, '../../dist/plugin-set/archive-process.js');

    expect(loadedPackages([entry], ['sequelize', 'sequelize-typescript', '@gantry/plugin-api', 'express'])).toEqual([]);
  });
});

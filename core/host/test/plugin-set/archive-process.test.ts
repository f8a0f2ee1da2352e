import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const entry = join(__dirname, '../../dist/plugin-set/archive-process.js');

describe('the process that packs packages', () => {
  it('starts without the object-relational mapper, which would take two thirds of its processor time', () => {
    const names = ['sequelize', 'sequelize-typescript', '@gantry/plugin-api', 'express'];
    const script = `
      require(${JSON.stringify(entry)});
      const loaded = new Set(Object.keys(require.cache));
      console.log(JSON.stringify(${JSON.stringify(names)}.filter((name) => loaded.has(require.resolve(name)))));
      process.exit();
    `;

    const loaded: unknown = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8' }),
    );

    expect(loaded).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';

describe('the launcher', () => {
  it('starts without the object-relational mapper and the plugin API, which only a host needs', () => {
    const names = ['sequelize', 'sequelize-typescript', '@gantry/plugin-api'];
    const script = `
      require('@gantry/launcher');
      const loaded = new Set(Object.keys(require.cache));
      console.log(JSON.stringify(${JSON.stringify(names)}.filter((name) => loaded.has(require.resolve(name)))));
    `;

    const loaded: unknown = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8' }),
    );

    expect(loaded).toEqual([]);
  });
});

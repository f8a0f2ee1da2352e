import { createRequire } from 'node:module';

describe('the packages of Temporal', () => {
  test('are all of one version', () => {
    const names = ['client', 'common', 'proto', 'testing', 'worker', 'workflow'];
    const versions = names.map((name) => {
      const file = require.resolve(`@temporalio/${name}/package.json`);
      return (createRequire(file)(file) as { readonly version: string }).version;
    });

    expect(new Set(versions).size).toBe(1);
  });
});

import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const packages = ['@temporalio/proto', '@temporalio/common', '@temporalio/worker'];

describe('the packages of Temporal', () => {
  // With two majors of it, histories cannot be turned into JSON ("type must be a Type").
  test('share one copy of protobufjs, of major 8', () => {
    const copies = packages.map((name) => {
      const own = createRequire(require.resolve(`${name}/package.json`));
      return own.resolve('protobufjs/package.json');
    });

    expect(new Set(copies.map(dirname)).size).toBe(1);
    expect(copies.map((file) => (createRequire(file)(file) as { readonly version: string }).version)[0]).toMatch(
      /^8\./,
    );
  });

  test('are all of one version', () => {
    const names = ['client', 'common', 'proto', 'testing', 'worker', 'workflow'];
    const versions = names.map((name) => {
      const file = require.resolve(`@temporalio/${name}/package.json`);
      return (createRequire(file)(file) as { readonly version: string }).version;
    });

    expect(new Set(versions).size).toBe(1);
  });
});

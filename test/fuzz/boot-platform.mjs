import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/run.mjs';

const runCommand = promisify(execFile);
const startTimeoutMs = 180_000;
const stopTimeoutMs = 60_000;

/**
 * `gantry up` on a free port with a separate home; resolves when `/readyz` says so.
 * @param samples names of sample plugins (test/samples) that it has as well
 */
export async function bootPlatform(samples = []) {
  const home = mkdtempSync(join(tmpdir(), 'gantry-fuzz-'));
  // The embedded PostgreSQL runs as another user when this is root.
  chmodSync(home, 0o755);
  writeSparePlugin(join(home, 'plugins'));
  for (const name of samples) {
    cpSync(join(root, 'test/samples', name), join(home, 'plugins', name), { recursive: true });
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    GANTRY_HOME: home,
    GANTRY_HOST: '127.0.0.1',
    GANTRY_PORT: String(port),
    GANTRY_PLUGIN_PATH: ['plugins', 'services', join(home, 'plugins')].join(delimiter),
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [join(root, 'cli/bin/gantry.js'), 'up'], { cwd: root, env, stdio: 'inherit' });
  const platform = {
    url,
    /** Runs a command of the platform on its home. @returns what it prints */
    async run(...words) {
      const { stdout } = await runCommand(process.execPath, [join(root, 'cli/bin/gantry.js'), ...words], {
        cwd: root,
        env,
      });
      return stdout;
    },
    home,
    async assertReady() {
      if (!(await isReady(url))) throw new Error('The platform is not ready any more after the requests.');
    },
    async stop() {
      await end(child);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await untilReady(url, child);
    return platform;
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

/** A plugin that the requests enable and disable (schemathesis.toml): without the plugins of the platform, there would be little left to ask. */
function writeSparePlugin(folder) {
  const manifest = {
    name: 'gantry-plugin-spare',
    version: '1.0.0',
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: {
      manifestVersion: 1,
      id: 'spare',
      displayName: 'Spare',
      contributes: { itemTypes: [], taskQueues: [], routes: [] },
    },
  };
  const code = "module.exports = require('@gantry/plugin-api').definePlugin({ id: 'spare' });\n";
  mkdirSync(join(folder, 'spare'), { recursive: true });
  writeFileSync(join(folder, 'spare', 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'spare', 'index.js'), code);
}

async function untilReady(url, child) {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error(`gantry up ended by itself (exit code ${child.exitCode}).`);
    if (Date.now() > deadline) throw new Error(`gantry up was not ready within ${startTimeoutMs / 1000} s.`);
    await delay(250);
  }
}

async function isReady(url) {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return response.ok;
  } catch {
    return false;
  }
}

async function end(child) {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, delay(stopTimeoutMs, undefined, { ref: false })]);
  if (hasEnded(child)) return;
  child.kill('SIGKILL');
  await ended;
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

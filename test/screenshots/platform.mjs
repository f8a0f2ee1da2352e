import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeShortenedServices } from '../support/shortened-services.mjs';

export const project = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const execute = promisify(execFile);

/**
 * A `gantry up` on free ports with separate data in a folder, all plugins and services of the project, and two samples
 * that are disabled: one that works and one that does not. A parcel is on its way for seconds instead of minutes.
 */
export async function startPlatform(folder) {
  const plugins = await makeShortenedServices(folder, { timeLimits: { deliverySleep: 3_000, paymentWait: 600_000 } });
  const own = readdirSync(join(project, 'plugins')).map((name) => join('plugins', name));
  for (const path of [
    ...own,
    'test/webhooks/fixtures/follower',
    'test/samples/recipes',
    'test/samples/broken/throws-on-start',
  ]) {
    symlinkSync(join(project, path), join(plugins, path.split(/[\\/]/).at(-1)), 'junction');
  }
  const home = join(folder, 'home');
  mkdirSync(home);
  const environment = {
    ...process.env,
    ...{ GANTRY_HOME: home, GANTRY_PROJECT: folder, GANTRY_PLUGIN_PATH: plugins },
    // The receiver of the pictures is on this machine.
    GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
  };
  delete environment.TEMPORAL_ADDRESS;
  /** Runs a command of the CLI. Resolves with what it printed. */
  const run = async (...words) => {
    const command = [join(project, 'cli/bin/gantry.js'), ...words];
    return (await execute(process.execPath, command, { env: environment })).stdout;
  };
  for (const sample of ['recipes', 'throws-on-start']) await run('plugins', 'disable', sample);
  return { ...(await start(environment)), run };
}

async function start(environment) {
  const child = spawn(process.execPath, [join(project, 'cli/bin/gantry.js'), 'up', '--port', '0'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  const address = await new Promise((found, failed) => {
    const read = (chunk) => {
      output += chunk;
      const banner = /^ *Address +(\S+)[^]*^ *Stop/m.exec(output);
      if (banner !== null) found(banner[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => failed(new Error(`gantry up ended:\n${output}`)));
  });
  return {
    address,
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

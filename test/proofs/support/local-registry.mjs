import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packPackages } from '../../../scripts/lib/pack-packages.mjs';
import { root } from '../../../scripts/lib/run.mjs';

const run = promisify(execFile);
const readyTimeoutMs = 60_000;

/**
 * A registry on this machine that has the packages of this repository as they would be published, and takes all others from the
 * registry that npm uses here.
 * @param folder an empty one, for the registry, tarballs and npm's own files
 */
export async function startRegistry(folder) {
  const usual = (await run('npm', ['config', 'get', 'registry'], { cwd: root })).stdout.trim();
  const packed = await packPackages(join(folder, 'tarballs'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const config = join(folder, 'verdaccio.yaml');
  writeFileSync(config, configuration(folder, usual));
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/verdaccio/bin/verdaccio'), '--config', config, '--listen', `127.0.0.1:${port}`],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output = (output + chunk).slice(-8_000)));
  }
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  };
  try {
    await untilReady(address, child, () => output);
    const environment = npmEnvironment(folder, address, await cacheOf());
    await Promise.all(packed.map((one) => publish(address, one, join(folder, 'tarballs'))));
    return { address, environment, packed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function configuration(folder, usual) {
  return `storage: ${join(folder, 'storage')}
uplinks:
  usual:
    url: ${usual}
    maxage: 60m
    timeout: 60s
    max_fails: 20
packages:
  '@gantry/*': { access: $all, publish: $all }
  'create-gantry': { access: $all, publish: $all }
  gantry: { access: $all, publish: $all }
  '**': { access: $all, proxy: usual }
max_body_size: 100mb
log: { type: stdout, format: pretty, level: warn }
`;
}

/** npm with files of its own, but for its cache of tarballs: a platform has some hundred of them. */
function npmEnvironment(folder, address, cache) {
  const own = join(folder, 'npm-cache');
  mkdirSync(own, { recursive: true });
  mkdirSync(join(cache, '_cacache'), { recursive: true });
  rmSync(join(own, '_cacache'), { force: true });
  symlinkSync(join(cache, '_cacache'), join(own, '_cacache'));
  const userconfig = join(folder, 'npmrc');
  writeFileSync(userconfig, `registry=${address}\n${address.replace('http:', '')}:_authToken=local\n`);
  const { PATH, HOME = homedir(), LANG = 'C.UTF-8' } = process.env;
  return {
    ...{ PATH, HOME, LANG },
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(GANTRY_(TEMPORAL|CACHE)|XDG_)/.test(name))),
    npm_config_userconfig: userconfig,
    npm_config_globalconfig: join(folder, 'global-npmrc'),
    npm_config_cache: own,
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  };
}

async function cacheOf() {
  return (await run('npm', ['config', 'get', 'cache'], { cwd: root })).stdout.trim();
}

/** Request of `npm publish`; as a program it would take a second for each package. */
async function publish(address, { name, version, filename, integrity, shasum }, folder) {
  const data = readFileSync(join(folder, filename));
  const manifest = JSON.parse((await run('tar', ['-xOf', join(folder, filename), 'package/package.json'])).stdout);
  if (manifest.private) throw new Error(`${name} is private.`);
  const file = `${name.split('/').at(-1)}-${version}.tgz`;
  const dist = { integrity, shasum, tarball: `${address}${name}/-/${file}` };
  const body = {
    _id: name,
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
    _attachments: {
      [file]: { content_type: 'application/octet-stream', data: data.toString('base64'), length: data.length },
    },
  };
  const response = await fetch(`${address}${name.replace('/', '%2f')}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name} was not published: ${response.status} ${await response.text()}`);
}

async function untilReady(address, child, output) {
  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The registry ended: ${output()}`);
    const response = await fetch(`${address}-/ping`).catch(() => undefined);
    if (response?.ok) return;
    if (performance.now() > deadline) throw new Error(`The registry is not ready: ${output()}`);
    await delay(100);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

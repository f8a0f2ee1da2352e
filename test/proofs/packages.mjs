/**
 * From an empty folder to an item type of one's own in the browser, in five commands, with the packages as they would be published:
 *
 *   npm create gantry@latest my-platform
 *   cd my-platform
 *   npx gantry plugins create recipes
 *   npm start
 *   (open the pages)
 *
 * The project is then measured, the plugin passes its tests, and `npm run dev` restarts the platform with it after a save. Packages come
 * from a registry on this machine.
 */
import { strict as assert } from 'node:assert';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { assertChromium, findChromium } from '../../scripts/lib/find-chromium.mjs';
import { startRegistry } from './support/local-registry.mjs';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** `current` is the Node.js that runs the proof; others are installed from npm. */
export const sizes = { ci: { nodes: ['current'] }, full: { nodes: ['22', '24'] } };

/** A production install of a new project; the issue of the packages sets the bounds. */
const maxPackages = 250;
const maxMegabytes = 350;
/** Bytes of a package when it is unpacked: some have libraries in them, the pages are built. */
const maxPackageBytes = {
  '@gantry/host': 16e6,
  '@gantry/core-loader': 4e6,
  '@gantry/core-http': 4e6,
  '@gantry/plugin-admin-ui': 4.25e6,
  default: 3e6,
};
const readyTimeoutMs = 120_000;

export default async function prove({ size, log }) {
  assertChromium();
  const folder = mkdtempSync(join(tmpdir(), 'gantry-packages-'));
  const registry = await startRegistry(folder);
  try {
    assertContents(registry.packed, join(folder, 'tarballs'));
    const results = [];
    for (const version of size.nodes) {
      const environment = await environmentWith(version, registry.environment, folder);
      const { stdout } = await run('node', ['--version'], { env: environment });
      log(`Node.js ${stdout.trim()}`);
      results.push(`${stdout.trim()}: ${await walk(join(folder, `node-${version}`), environment, log)}`);
    }
    return results.join('; ');
  } finally {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Contents of the tarballs: code that runs, its types, and source maps that have their sources in them. */
function assertContents(packed, folder) {
  for (const { name, filename, files, unpackedSize } of packed) {
    const paths = files.map(({ path }) => path);
    const code = name === 'gantry' ? ['bin/gantry.js'] : ['dist/index.js', 'dist/index.d.ts'];
    const needed = ['package.json', 'README.md', 'LICENSE', ...code];
    assert.deepEqual(
      needed.filter((path) => !paths.includes(path)),
      [],
      `${name} lacks files`,
    );
    const wrong = paths.filter((path) => /(^|\/)(test|src|node_modules)\/|\.test\.|\.tsbuildinfo$|\.env$/.test(path));
    assert.deepEqual(wrong, [], `${name} has files that are not for its users`);
    const most = maxPackageBytes[name] ?? maxPackageBytes.default;
    assert.ok(unpackedSize <= most, `${name} has ${unpackedSize} bytes; at most ${most} may be`);
    assertSourceMaps(name, join(folder, filename), paths);
  }
}

function assertSourceMaps(name, tarball, paths) {
  const maps = paths.filter((path) => path.endsWith('.map'));
  const target = mkdtempSync(join(tmpdir(), 'gantry-tarball-'));
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', target]);
    for (const path of maps) {
      const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(target, 'package', path), 'utf8'));
      const isComplete = sources.every((_source, index) => typeof sourcesContent[index] === 'string');
      assert.ok(isComplete, `${path} of ${name} refers to sources that are not in the package`);
    }
    for (const path of paths.filter((one) => /\.[cm]?js$/.test(one))) {
      const text = readFileSync(join(target, 'package', path), 'utf8');
      const map = /\n\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/.exec(text)?.[1];
      const isThere = map === undefined || existsSync(join(target, 'package', dirname(path), map));
      assert.ok(isThere, `${path} of ${name} refers to the source map ${map}, which is not in the package`);
    }
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** @returns the numbers of this walk */
async function walk(parent, environment, log) {
  mkdirSync(parent);
  const project = join(parent, 'my-platform');
  const npm = (folder, ...words) => run('npm', words, { cwd: folder, env: environment, maxBuffer });
  // No package of the parent folders has the command.
  const words = ['--yes', 'gantry', '--version'];
  const { stdout: version } = await run('npx', words, { cwd: parent, env: environment, maxBuffer });
  log(`npx gantry --version without a project: ${version.trim()}`);
  const created = await timed(() => npm(parent, 'create', '--yes', 'gantry@latest', 'my-platform'));
  log(`created in ${created} s`);
  const { packages, megabytes } = measure(join(project, 'node_modules'));
  log(`production install: ${packages} packages, ${megabytes} MB`);
  const grown = await timed(() =>
    run('npx', ['gantry', 'plugins', 'create', 'recipes'], { cwd: project, env: environment, maxBuffer }),
  );
  log(`plugin created in ${grown} s`);
  const started = await timed(async () => {
    const platform = await start(project, environment, 'npm', 'start');
    try {
      await seeInBrowser(async (page) => {
        await seeItem(page, platform.address);
        await seeOrder(page, platform.address, project, environment);
      });
    } finally {
      await platform.stop();
    }
  });
  log(`seen in the browser and stopped after ${started} s`);
  const plugin = join(project, 'plugins/recipes');
  const tested = await timed(() => npm(plugin, 'test'));
  log(`its tests pass in ${tested} s`);
  const saved = await saveInDevelopment(plugin, project, environment);
  log(`in use ${saved} s after a save`);
  assert.ok(packages <= maxPackages, `${packages} packages are installed; at most ${maxPackages} may be`);
  assert.ok(megabytes <= maxMegabytes, `${megabytes} MB are installed; at most ${maxMegabytes} may be`);
  return `${packages} packages, ${megabytes} MB, save to use ${saved} s`;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return ((performance.now() - begin) / 1000).toFixed(1);
}

/** npm's own record has what is installed, without links to the workspace. */
function measure(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
  return { packages: Object.keys(packages).length, megabytes: Math.round(bytesOf(folder) / 1024 / 1024) };
}

function bytesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).size);
  }, 0);
}

/** Starts a command that runs the platform on a free port, and waits for its banner. */
async function start(folder, environment, ...[program, ...words]) {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...environment, GANTRY_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C in a terminal reaches all of it.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  }
  const endGroup = (signal) => process.kill(-Number(child.pid), signal);
  const ended = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null) endGroup('SIGINT');
    await ended;
  };
  const deadline = performance.now() + readyTimeoutMs;
  while (!/^ +Stop /m.test(output)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      if (child.exitCode === null) endGroup('SIGKILL');
      throw new Error(`${program} ${words.join(' ')} does not become ready: ${output}`);
    }
    await delay(50);
  }
  const [, address] = /^ +Address +(\S+)/m.exec(output);
  return { address, stop };
}

async function seeInBrowser(see) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
  try {
    await see(await browser.newPage());
  } finally {
    await browser.close();
  }
}

async function seeItem(page, address) {
  await page.goto(`${address}/admin/content/recipe/new`);
  await page.getByLabel('Name').fill('Soup');
  await page
    .getByRole('button', { name: /^(Create|Save)/ })
    .first()
    .click();
  await page.waitForURL(/content\/recipe\/(?!new)/);
  await page.goto(`${address}/admin/content/recipe`);
  await page.getByText('Soup').first().waitFor();
}

/** Its history is read with the copies of Temporal's packages that npm installs. */
async function seeOrder(page, address, project, environment) {
  const response = await fetch(`${address}/place-order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderId: '1' }),
  });
  assert.equal(response.status, 202);
  const { stdout } = await run('npx', ['gantry', 'ops', 'show', 'order-1', '--json'], {
    cwd: project,
    env: environment,
    maxBuffer,
  });
  assert.equal(JSON.parse(stdout).data.status, 'RUNNING');
  await page.goto(`${address}/admin/operations/workflows/order-1`);
  await page.getByText('sendOrderPlacedNotification').first().waitFor();
}

/** @returns seconds from a save to the answer of the platform that has it */
async function saveInDevelopment(plugin, project, environment) {
  const platform = await start(plugin, environment, 'npm', 'run', 'dev');
  try {
    // The process for the next reload loads its modules first.
    await delay(3_000);
    const file = join(plugin, 'src/recipe.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace("displayName: 'Notes'", "displayName: 'Remarks'"));
    return await timed(async () => {
      const deadline = performance.now() + readyTimeoutMs;
      for (;;) {
        const response = await fetch(new URL('/api/cms/items/recipe/metadata', platform.address)).catch(
          () => undefined,
        );
        if ((await response?.text())?.includes('Remarks')) return;
        if (performance.now() > deadline) throw new Error('The platform does not restart with the plugin.');
        await delay(20);
      }
    });
  } finally {
    await platform.stop();
  }
}

/** The environment in which `node` is the Node.js of that major. */
async function environmentWith(version, environment, folder) {
  if (version === 'current') return environment;
  const target = join(folder, `node-${version}-bin`);
  const name = `node-${process.platform}-${process.arch}`;
  const words = ['install', '--prefix', target, '--ignore-scripts', '--no-save', `${name}@${version}`];
  await run('npm', words, { env: environment, maxBuffer });
  return { ...environment, PATH: [join(target, 'node_modules', name, 'bin'), environment.PATH].join(delimiter) };
}

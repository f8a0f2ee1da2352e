import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable } from './is-executable.mjs';
import { root as repository } from './run.mjs';

const run = promisify(execFile);

/** Where the checkout is inside. */
const checkout = '/srv/gantry';

/** Of this machine. Debian has them in the packages debootstrap, util-linux, mount, coreutils, git and tar. */
const programs = ['debootstrap', 'setpriv', 'unshare', 'mount', 'chroot', 'git', 'tar'];

/** How the network is reached from this machine, which is no different inside. */
const networkSettings = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'PIP_CERT', 'PIP_INDEX_URL'],
];

/**
 * The root file system of a new machine: Debian 12 without what its minimum lacks (no Python, no git, no browser), the Node.js
 * and npm that run this script, and the committed state of this repository. Of this machine it has the kernel, the network, and
 * the settings with which the network is reached.
 * @param folder for it, which is made
 */
export async function createBareRoot(folder) {
  const obstacle = obstacleToBareRoot();
  if (obstacle !== undefined) throw new Error(obstacle);
  await run('debootstrap', ['--variant=minbase', 'bookworm', folder], { maxBuffer });
  await copyNode(folder);
  const environment = { ...(await copyNetworkSettings(folder)), HOME: '/root', PATH: insidePath };
  await copyCheckout(join(folder, checkout));
  return {
    checkout: join(folder, checkout),
    /** Runs a command in the checkout. Its process can be signalled as a group. */
    spawn: (command, settings = {}) => spawnInside(folder, command, { ...environment, ...settings }),
  };
}

const maxBuffer = 64 * 1024 * 1024;
const insidePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** @returns what this machine lacks; undefined where it lacks nothing */
export function obstacleToBareRoot() {
  const isRoot = process.platform === 'linux' && process.getuid() === 0;
  const missing = programs.filter((name) => !isOnPath(name));
  if (isRoot && missing.length === 0) return undefined;
  const found = isRoot ? `${missing.join(', ')} not found` : 'this is not root on Linux';
  return `A bare root file system needs root on Linux, and ${programs.join(', ')}: ${found}.`;
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name)));
}

async function copyNode(folder) {
  const npm = await npmFolder();
  cpSync(process.execPath, join(folder, 'usr/local/bin/node'));
  await cp(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/local/bin', name));
  }
}

/** Of the npm that runs this script, else of the one on the PATH. */
async function npmFolder() {
  const { npm_execpath: file } = process.env;
  if (file?.endsWith('.js')) return join(dirname(realpathSync(file)), '..');
  const { stdout } = await run('npm', ['root', '--global']);
  return join(stdout.trim(), 'npm');
}

/** Also npm's registry and certificates, from wherever they are set. @returns variables */
async function copyNetworkSettings(folder) {
  const settings = Object.fromEntries(networkSettings.map((name) => [name, process.env[name]]));
  for (const key of ['registry', 'cafile']) {
    const value = (await run('npm', ['config', 'get', key])).stdout.trim();
    if (!['', 'null', 'undefined'].includes(value)) settings[`npm_config_${key}`] = value;
  }
  const set = Object.entries(settings).filter(([, value]) => value);
  const files = set.map(([, value]) => value).filter((value) => value.startsWith('/') && existsSync(value));
  for (const file of new Set(['/etc/resolv.conf', '/etc/hosts', ...files])) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(realpathSync(file), join(folder, file));
  }
  return Object.fromEntries(set);
}

async function copyCheckout(folder) {
  mkdirSync(folder, { recursive: true });
  const archive = ['-c', 'set -eu; git -C "$1" archive HEAD | tar -x -C "$2"', 'sh', repository, folder];
  await run('/bin/sh', archive);
}

/**
 * Mounts end with the last process, and processes with the first one, because both have separate namespaces. The first
 * is a shell that waits for the command, whatever signal that gets, and that is killed with this process.
 */
function spawnInside(folder, command, environment) {
  const inside = 'cd "$1"; shift; "$@"; exit $?';
  const outside = `
    set -eu
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666 pts "$root/dev/pts"
    exec chroot "$root" /bin/sh -c '${inside}' sh "$@"`;
  const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child'];
  const words = ['--pdeathsig', 'KILL', ...namespaces, '/bin/sh', '-c', outside, 'sh', folder, checkout, ...command];
  return spawn('setpriv', words, { env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

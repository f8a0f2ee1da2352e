import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { HostConfig } from '@gantry/host/config';
import { describeHold, readHold } from '@gantry/core-common';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { fail, failedWith, ok, warn, type Check } from './check';

const oldestNode = [20, 19] as const;

/** @param version For example `22.12.0`. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (isNewEnough) return ok('Node.js', version);
  return fail(
    'Node.js',
    `${version} is too old; ${oldestNode.join('.')} or newer is needed.`,
    'Install a newer Node.js: https://nodejs.org',
  );
}

export function checkHome(home: string): Check {
  const folder = nearestFolder(home);
  try {
    if (!statSync(folder).isDirectory()) {
      return fail(
        'Home',
        `${folder} is not a folder.`,
        'Move the file away, or choose another folder with GANTRY_HOME.',
      );
    }
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    findRunningPlatform(home);
    return ok('Home', folder === home ? home : `${home}, created at the first start`);
  } catch (error) {
    if (error instanceof Error && 'remedy' in error) return failedWith('Home', error, 'Check its content.');
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return fail(
      'Home',
      `${folder} cannot be written (${reason}).`,
      'Give this user write access, or choose another folder with GANTRY_HOME.',
    );
  }
}

/** A home that is not on hold has no line. */
export function checkHold(home: string): readonly Check[] {
  const hold = readHold(home);
  if (hold === undefined) return [];
  return [warn('Hold', describeHold(hold), 'Check the open orders, then end it with: gantry resume')];
}

const gigabyte = 1024 ** 3;

export async function checkDisk(home: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(nearestFolder(home));
    const free = bavail * bsize;
    const message = `${(free / gigabyte).toFixed(1)} GB free for ${home}`;
    const remedy = 'Free some space, or choose a folder on another disk with GANTRY_HOME.';
    if (free < gigabyte / 10) return fail('Disk', message, remedy);
    return free < gigabyte ? warn('Disk', message, remedy) : ok('Disk', message);
  } catch (error) {
    return failedWith('Disk', error, 'Check the folder.');
  }
}

/** The port is free, or the platform of this home has it. */
export async function checkPort({ home, host, port }: HostConfig): Promise<Check> {
  const running = runningOn(home);
  if (running !== undefined) {
    return ok('Port', `${running.address ?? 'the platform of this home is starting'}, used by the running platform`);
  }
  if (port === 0) return ok('Port', 'the system chooses one at the start');
  const problem = await tryToListen(host, port);
  if (problem === undefined) return ok('Port', `${host}:${port} is free`);
  return fail(
    'Port',
    `${host}:${port} cannot be used (${problem}).`,
    'Stop the program that uses the port, or choose another port: gantry up --port 3001',
  );
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** A home that cannot be read is already reported. */
function runningOn(home: string): ReturnType<typeof findRunningPlatform> {
  try {
    return findRunningPlatform(home);
  } catch {
    return undefined;
  }
}

/** The folder, or the nearest one above that exists. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

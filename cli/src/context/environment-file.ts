import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { codeOf } from '@gantry/core-common';

/** The settings in the file `.env` of a folder; empty without one. What the environment has comes first. */
export function readEnvironmentFile(folder: string): Readonly<Record<string, string | undefined>> {
  const file = join(folder, '.env');
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw error;
  }
}

/**
 * The settings in the file `.env` of a project: the folder that is named, or else the one of this process, if it is that of a
 * project or a plugin. In any other folder such a file belongs to some other program.
 */
export async function readProjectEnvironment(
  named: string | undefined,
  folder = resolve('.'),
): Promise<Readonly<Record<string, string | undefined>>> {
  if (named !== undefined && named !== '') return readEnvironmentFile(named);
  if (!existsSync(join(folder, '.env'))) return {};
  // Loaded only where there is a file: every command comes this way.
  const { findProject, isPluginFolder } = await import('create-gantry');
  return isPluginFolder(folder) || findProject(folder) === folder ? readEnvironmentFile(folder) : {};
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from '@gantry/core-common';
import { createSecret } from './tokens/secrets';

/**
 * The token with which commands on this machine call the platform of a home: who may read the home, may use the platform. It is
 * written at the first start and readable by its owner only.
 */
export function createLocalToken(home: string): string {
  const known = readLocalToken(home);
  if (known !== undefined) return known;
  const token = `local_${createSecret()}`;
  mkdirSync(dirname(fileOf(home)), { recursive: true });
  writeAtomically(fileOf(home), `${token}\n`);
  return readLocalToken(home) ?? token;
}

/** @returns undefined when no platform was ever started on the home, or the file cannot be read */
export function readLocalToken(home: string): string | undefined {
  try {
    const text = readFileSync(fileOf(home), 'utf8').trim();
    return /^local_[\w-]{43}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(home: string): string {
  return join(home, 'local-token');
}

import { open } from 'node:fs/promises';
import { describeError } from '@gantry/core-common';

/** A parsed package.json, of which nothing is known yet. */
export type PackageJson = Readonly<Record<string, unknown>>;

/** No package.json of a plugin comes near this; a larger one would hold up the start of all plugins. */
const maxPackageJsonBytes = 1024 * 1024;

/** @throws Error with the code of the file system, or for a file that is too large */
export async function readPackageJson(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > maxPackageJsonBytes) {
      throw new Error(`it has ${size} bytes; at most ${maxPackageJsonBytes} are read`);
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** @returns the object, or the sentence that says why there is none. */
export function parsePackageJson(text: string): PackageJson | string {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as PackageJson) : 'it is JSON, but not an object';
  } catch (error) {
    return describeError(error);
  }
}

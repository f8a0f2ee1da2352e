import { readFile } from 'node:fs/promises';
import type { InstalledPackage } from '@gantry/contracts';
import { z } from 'zod';
import { PluginError } from '@gantry/core-loader';

/** A `package-lock.json`, as JSON. */
export type LockFile = NonNullable<InstalledPackage['lock']>;

const lockSchema = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional(), inBundle: z.boolean().optional() })),
});

/**
 * Reads the lock file that npm has written.
 * @throws PluginError PLUGIN_UNUSABLE where an entry has no integrity, so that another host could install something else
 */
export async function readLockFile(file: string, origin: string): Promise<LockFile> {
  const lock = lockSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const other = Object.entries(lock.packages).find(
    ([path, { integrity, inBundle }]) => path !== '' && integrity === undefined && inBundle !== true,
  );
  if (other === undefined) return lock;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} needs ${other[0].replace(/^.*node_modules\//, '')}, for which npm has no integrity: it does not come from a registry`,
    'Bundle the package (bundleDependencies), or use a version from a registry',
  );
}

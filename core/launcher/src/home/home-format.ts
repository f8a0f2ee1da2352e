import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonIfThere, writeAtomically } from '../common/files';
import { LauncherError } from '../common/launcher-error';
import { platformVersion } from '../common/platform-version';

/** Of the files below a home. A change that earlier versions cannot read raises it; this version reads all up to it. */
const homeFormat = 2;

const formatSchema = z.object({ formatVersion: z.number().int().positive(), platformVersion: z.string() });

/**
 * A home without a format is new, or of a version from before homes had one.
 * @throws LauncherError when a newer version has written the home
 */
export function assertReadableHome(home: string): void {
  if (!existsSync(fileOf(home))) return;
  const found = formatSchema.safeParse(readJsonIfThere(fileOf(home)));
  if (!found.success) {
    throw new LauncherError(
      `${fileOf(home)} does not name the format of the home.`,
      'Restore the file from a backup of the home, or name another folder in GANTRY_HOME.',
    );
  }
  const { formatVersion, platformVersion: writer } = found.data;
  if (formatVersion <= homeFormat) return;
  throw new LauncherError(
    `${home} was written by Gantry ${writer} in format ${formatVersion}; this Gantry ${platformVersion()} reads formats up to ${homeFormat}.`,
    `Use Gantry ${writer} or newer, or name another folder in GANTRY_HOME.`,
  );
}

/**
 * Before a command that is about a platform that exists.
 * @throws LauncherError for a folder that no platform has used
 */
export function assertUsedHome(home: string): void {
  if (existsSync(fileOf(home)) || existsSync(join(home, 'postgres'))) return;
  throw new LauncherError(
    `There is no platform in ${home}.`,
    'Name the folder of the platform in GANTRY_HOME or with --home. The first gantry up makes one.',
  );
}

/** Notes which version uses the home; only its owner does so. */
export function writeHomeFormat(home: string): void {
  const own = { formatVersion: homeFormat, platformVersion: platformVersion() };
  const known = formatSchema.safeParse(readJsonIfThere(fileOf(home))).data;
  if (known?.formatVersion === own.formatVersion && known.platformVersion === own.platformVersion) return;
  writeAtomically(fileOf(home), `${JSON.stringify(own)}\n`);
}

function fileOf(home: string): string {
  return join(home, 'home.json');
}

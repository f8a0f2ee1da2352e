import type { HostConfig } from '@gantry/host/config';
import { assertRestored } from '../backup/restoring-mark';
import { acquireHomeLock } from '../home-lock';
import type { HomeLock, LockHolder } from '../home-lock';
import { LauncherError } from '../launcher-error';
import { findRunningPlatform } from '../run-file';
import { removeGuest, writeGuest } from './guests';
import { assertReadableHome, writeHomeFormat } from './home-format';

/** The place of this process in a home: one process keeps the servers, further ones are guests that use them. */
export interface HomePlace {
  isKeeper(): boolean;
  /** Becomes the keeper if nobody is any more. @returns whether this process is the keeper now. */
  tryKeep(): boolean;
  /** Gives the place up: from then on another process may be the keeper. */
  release(): void;
}

const keeperPurpose = 'gantry up';

/**
 * Takes a place. A process that runs all plugins, or only the required ones (`--safe`), must be the keeper; one that runs
 * some of them (`--only`) shares the servers of a platform that is there.
 * @throws LauncherError when the home is in use.
 */
export function takePlace({ home, only }: Pick<HostConfig, 'home' | 'only'>): HomePlace {
  assertRestored(home);
  assertReadableHome(home);
  let lock: HomeLock | undefined;
  const tryLock = (): LockHolder | undefined => {
    const outcome = acquireHomeLock(home, keeperPurpose);
    if (!('release' in outcome)) return outcome.heldBy;
    lock = outcome;
    writeHomeFormat(home);
    return undefined;
  };
  const holder = tryLock();
  if (lock === undefined) {
    const sharesServers = only !== undefined && only.length > 0;
    if (!sharesServers || (holder !== undefined && holder.purpose !== keeperPurpose)) throw inUse(home, holder);
    writeGuest(home);
  }
  return {
    isKeeper: () => lock !== undefined,
    tryKeep: () => {
      if (lock === undefined) tryLock();
      return lock !== undefined;
    },
    release: () => {
      removeGuest(home);
      lock?.release();
      lock = undefined;
    },
  };
}

function inUse(home: string, holder: LockHolder | undefined): LauncherError {
  const address = findRunningPlatform(home)?.address;
  const where = [`process ${holder?.pid ?? 'unknown'}`, ...(address === undefined ? [] : [address])].join(', ');
  if (holder !== undefined && holder.purpose !== keeperPurpose) {
    return new LauncherError(
      `"${holder.purpose}" is using ${home} (${where}).`,
      'Wait until it has finished, and start again.',
    );
  }
  return new LauncherError(
    `Gantry already runs on ${home} (${where}).`,
    `Use that one, or stop it with: kill ${holder?.pid ?? ''}; a second one needs a GANTRY_HOME and a GANTRY_PORT of its own.`,
  );
}

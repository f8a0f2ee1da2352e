import type { FileLock, LockHolder } from '@gantry/core-common';
import type { HostConfig } from '@gantry/host/config';
import { assertRestored } from './restoring-mark';
import { acquireHomeLock } from './home-lock';
import { LauncherError } from '../common/launcher-error';
import { findRunningPlatform } from './run-file';
import { removeLeaseClient, writeLeaseClient } from './lease-clients';
import { assertReadableHome, writeHomeFormat } from './home-format';

/** The lease of this process in a home: one process keeps the servers, further ones are clients that use them. */
export interface HomeLease {
  isOwner(): boolean;
  /** Becomes the owner if the home has none. @returns whether this process is the owner now. */
  tryOwn(): boolean;
  /** Gives the lease up: from then on another process may be the owner. */
  release(): void;
}

const ownerPurpose = 'gantry up';

/**
 * Takes a lease. A process that runs all plugins, or only the required ones (`--safe`), must be the owner; one that runs
 * some of them (`--only`) shares the servers of a platform that is there.
 * @throws LauncherError when the home is in use.
 */
export function acquireHomeLease({ home, only }: Pick<HostConfig, 'home' | 'only'>): HomeLease {
  assertRestored(home);
  assertReadableHome(home);
  let lock: FileLock | undefined;
  const tryLock = (): LockHolder | undefined => {
    const outcome = acquireHomeLock(home, ownerPurpose);
    if (!('release' in outcome)) return outcome.heldBy;
    lock = outcome;
    writeHomeFormat(home);
    return undefined;
  };
  const holder = tryLock();
  if (lock === undefined) {
    const sharesServers = only !== undefined && only.length > 0;
    if (!sharesServers || (holder !== undefined && holder.purpose !== ownerPurpose)) throw inUse(home, holder);
    writeLeaseClient(home);
  }
  return {
    isOwner: () => lock !== undefined,
    tryOwn: () => {
      if (lock === undefined) tryLock();
      return lock !== undefined;
    },
    release: () => {
      removeLeaseClient(home);
      lock?.release();
      lock = undefined;
    },
  };
}

function inUse(home: string, holder: LockHolder | undefined): LauncherError {
  const address = findRunningPlatform(home)?.address;
  const where = [`process ${holder?.pid ?? 'unknown'}`, ...(address === undefined ? [] : [address])].join(', ');
  if (holder !== undefined && holder.purpose !== ownerPurpose) {
    return new LauncherError(
      `"${holder.purpose}" is using ${home} (${where}).`,
      'Wait until it has finished, and start again.',
    );
  }
  return new LauncherError(
    `Gantry already runs on ${home} (${where}).`,
    `Use that platform, or stop it with: kill ${holder?.pid ?? ''}; a second platform needs another GANTRY_HOME and another GANTRY_PORT.`,
  );
}

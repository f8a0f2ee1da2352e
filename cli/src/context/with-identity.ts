import type { HostConfig } from '@gantry/host/config';
import { createStderrLogger, openIdentity, type ChangeAuthor, type Identity } from '@gantry/host/open-identity';
import { interruptible } from '../common/interruption';
import type { CommandContext } from './command-context';
import { withDatabase } from './with-database';

export interface IdentityWork {
  /** The command, for example `gantry users list`. */
  readonly purpose: string;
  /** The next step after Ctrl-C, in one sentence. */
  readonly afterInterruption: string;
}

/**
 * Runs work with the users of the home, on its database: access to the home or to DATABASE_URL is the right to do so. A platform
 * that runs notices changes within 5 seconds. A home that no platform has used is refused: it is a wrong one.
 */
export async function withIdentity<T>(
  context: CommandContext,
  { purpose, afterInterruption }: IdentityWork,
  work: (identity: Identity, config: HostConfig) => Promise<T>,
): Promise<T> {
  return interruptible(afterInterruption, (signal) =>
    withDatabase(
      context,
      purpose,
      signal,
      async (config) => {
        const opened = await openIdentity(config, createStderrLogger(context.verbose ? 'debug' : 'silent'));
        try {
          return await work(opened.identity, config);
        } finally {
          await opened.close();
        }
      },
      { mustExist: true },
    ),
  );
}

/** A command as the author of a change. */
export const byCommand: ChangeAuthor = { actor: 'command', address: '' };

import { readLocalToken } from '@gantry/core-identity/local-token';
import { findRunningPlatform } from '@gantry/launcher/run-file';
import { settingsOf, type CommandContext } from './command-context';
import { readStoredToken } from './stored-tokens';

/**
 * The credential of a command: the API token in GANTRY_TOKEN; else, to the platform of --url, the one of `gantry login`;
 * else, to the platform that runs on the home, the token of the home. The latter two go nowhere else.
 */
export function credentialsFor(context: CommandContext, address: string): Readonly<Record<string, string>> {
  const stored = context.url === address ? readStoredToken(context, address) : undefined;
  const token = context.environment['GANTRY_TOKEN'] ?? stored ?? localTokenFor(context, address);
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}

function localTokenFor(context: CommandContext, address: string): string | undefined {
  const { home } = settingsOf(context);
  return findRunningPlatform(home)?.address === address ? readLocalToken(home) : undefined;
}

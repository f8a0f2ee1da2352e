import { homedir } from 'node:os';

/** The home directory of the user. @returns undefined for a user id without an account, as containers have */
export function homeOfUser(environment: Readonly<NodeJS.ProcessEnv>): string | undefined {
  try {
    return environment['HOME'] || homedir();
  } catch {
    return undefined;
  }
}

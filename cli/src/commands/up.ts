import { up, type UpOptions } from '@gantry/launcher';
import type { CommandContext } from '../context/command-context';
import { reportFailure } from '../terminal/report-failure';

/** `gantry up`: runs the platform until it receives a signal to stop. */
export function startPlatform(context: CommandContext): Promise<number> {
  return up({ environment: context.environment, ...failuresOf(context) });
}

/** With --json, why the platform could not start or keep running is for programs, too. */
export function failuresOf({ terminal, json, verbose }: CommandContext): Pick<UpOptions, 'onFailure'> {
  return json ? { onFailure: (error) => void reportFailure(terminal, error, { json, verbose }) } : {};
}

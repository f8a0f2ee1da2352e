import { up } from '@gantry/launcher';
import type { CommandContext } from '../context/command-context';

/** `gantry up`: runs the platform until it receives a signal to stop. */
export function startPlatform({ environment }: CommandContext): Promise<number> {
  return up({ environment });
}

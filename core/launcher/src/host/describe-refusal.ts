import type { PluginChange } from '@gantry/contracts';
import { describeEnd, verdict, wasKilledFromOutside } from './life';
import type { Life } from './life';

/** Why a generation did not come to serve. */
export function describeRefusal(life: Life): NonNullable<PluginChange['error']> {
  if (life.fatal !== undefined) {
    const { code, message, remedy } = life.fatal;
    return { code, message, remedy };
  }
  if (life.entered !== undefined && !wasKilledFromOutside(life)) {
    const { plugin, phase } = life.entered;
    const { code, reason } = verdict(life, phase);
    const remedy = 'Correct the plugin and build it again, disable it, or take it out of the plugin folder.';
    return { code, message: `The plugin ${plugin} ${reason}.`, remedy };
  }
  return {
    code: 'GENERATION_FAILED',
    message: `The new host ${describeEnd(life)}.`,
    remedy: 'Look for the cause in the log, and try again.',
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformSchema } from '@gantry/client/platform';
import type { PluginChange } from '@gantry/contracts';
import { unlessAborted } from '@gantry/core-common';
import { interruptible } from '../../common/interruption';
import { withRemedy } from '../../common/with-remedy';
import type { CommandContext } from '../../context/command-context';
import { callRoute, platformAddress } from '../../context/running-platform';
import type { Terminal } from '../../terminal/terminal';

/** The result of a request to change the plugins. */
export type ChangeAnswer = PlatformSchema<'PluginChangeAnswer'>;

/** Prints how long each part of a change took, such as `Took: check 3.2 s, starting 8.1 s, draining 0.4 s`. */
export function noteDurations(terminal: Terminal, { change, report }: ChangeAnswer): void {
  if (change?.phase !== 'done' || change.durations === undefined) return;
  const parts = { ...(report === undefined ? {} : { check: report.duration }), ...change.durations };
  const times = Object.entries(parts).map(([part, milliseconds]) => `${part} ${(milliseconds / 1_000).toFixed(1)} s`);
  terminal.note(`Took: ${times.join(', ')}`);
}

/** A killed host has restarted by then; otherwise the log of the platform explains more than this command can. */
const silenceTimeoutMs = 60_000;
const pollIntervalMs = 100;

/**
 * Follows a change that is under way. What answers in between may be the old or the new host, or for a moment none: a host
 * that is killed does not end the change.
 */
export async function untilChanged(context: CommandContext, begun: PluginChange): Promise<PluginChange> {
  let shown = '';
  let answeredAt = performance.now();
  const read = async () => {
    try {
      const { data } = await callRoute('GET', '/api/platform/generations', {}, context);
      answeredAt = performance.now();
      return data;
    } catch (error) {
      const isOver = platformAddress(context) === undefined || performance.now() - answeredAt > silenceTimeoutMs;
      if (isOver) throw error;
      return undefined;
    }
  };
  return interruptible('The change continues. Show its state with: gantry plugins list', async (signal) => {
    for (;;) {
      const report = await unlessAborted(read(), signal);
      if (report === undefined) {
        await delay(pollIntervalMs, undefined, { signal });
        continue;
      }
      const found = report.changes.find(({ id }) => id === begun.id);
      if (found === undefined) {
        throw withRemedy(
          'The platform restarted during the change.',
          'Show the plugins that run now with: gantry plugins list',
        );
      }
      const step = [found.phase, found.step].filter(Boolean).join(': ');
      if (context.terminal.isWatched && step !== shown) context.terminal.note(step);
      shown = step;
      if (found.phase === 'done' || found.phase === 'failed') return found;
      await delay(pollIntervalMs, undefined, { signal });
    }
  });
}

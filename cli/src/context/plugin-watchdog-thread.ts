import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { HostMessage } from '@gantry/contracts';
import { createPhaseWatch } from '@gantry/core-supervisor/watchdog';
import type { Entered } from '@gantry/core-supervisor/watchdog';

/** How long after the time limit of its phase a plugin is at fault. */
const graceMs = 2_000;

const phases = createPhaseWatch(graceMs, endProcess);

/** Runs in parallel to the main thread, which may be blocked: nothing here needs it. */
parentPort?.on('message', (message: HostMessage) => {
  if (message.kind === 'entering') phases.entering(message, message.timeoutMs);
  if (message.kind === 'left') phases.left(message);
});

function endProcess({ plugin, phase }: Entered): void {
  writeSync(
    2,
    `gantry: The plugin ${plugin} blocks the process in its phase ${phase}.\n  gantry plugins disable ${plugin}\n`,
  );
  // Handlers of other signals would run in the thread that is blocked.
  process.kill(process.pid, 'SIGKILL');
}

import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { HostMessage } from '@gantry/contracts';

/** The process enforces its own limits; only when even that stays away is it stuck. */
const graceMs = 2_000;

const timers = new Map<string, NodeJS.Timeout>();

/** Runs in parallel to the main thread, which may be blocked: nothing here needs it. */
parentPort?.on('message', (message: HostMessage) => {
  if (message.kind !== 'entering' && message.kind !== 'left') return;
  clearTimeout(timers.get(message.plugin));
  if (message.kind === 'left') return;
  timers.set(
    message.plugin,
    setTimeout(() => endProcess(message.plugin, message.phase), message.timeoutMs + graceMs),
  );
});

function endProcess(plugin: string, phase: string): void {
  writeSync(
    2,
    `gantry: The plugin ${plugin} blocks the process in its phase ${phase}.\n  gantry plugins disable ${plugin}\n`,
  );
  // Handlers of other signals would run in the thread that is blocked.
  process.kill(process.pid, 'SIGKILL');
}

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HostMessage } from '@gantry/contracts';

/** Ends the command when plugin code keeps the process to itself: its own time-outs, and Ctrl-C, could not do so then. */
export interface PluginWatchdog {
  /** Called before and after plugin code runs. */
  readonly notifyLauncher: (message: HostMessage) => void;
  stop(): void;
}

export function startPluginWatchdog(): PluginWatchdog {
  const thread = new Worker(join(__dirname, 'plugin-watchdog-thread.js'));
  // Never what the process waits for.
  thread.unref();
  return {
    notifyLauncher: (message) => thread.postMessage(message, []),
    stop: () => void thread.terminate(),
  };
}

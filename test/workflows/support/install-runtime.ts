import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Gives this process a runtime of Temporal that logs errors only. One that an earlier test file has left, or has made after its
 * workers had ended, is shut down: test files of a worker share installed packages (docs/decisions/0052).
 * @param filter of the lines that its native part writes
 */
export async function installRuntime(filter: 'ERROR' | 'OFF'): Promise<void> {
  await Runtime.instance().shutdown();
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { forward: {}, filter } } });
}

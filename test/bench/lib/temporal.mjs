import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { root } from '../../../scripts/lib/run.mjs';

const require = createRequire(import.meta.url);

/**
 * The development server of Temporal, in memory, found or obtained as `gantry up` does.
 * @param {readonly string[]} namespaces each keeps the workers of one side to itself, though queues have the same names
 */
export async function startTemporal(namespaces) {
  const server = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: await findProgram() },
      log: { format: 'pretty', level: 'never' },
      extraArgs: [...namespaces.flatMap((namespace) => ['--namespace', namespace]), ...promptTimers],
    },
  });
  return { address: server.address, connection: server.connection, stop: () => server.teardown() };
}

/** Else a timer fires up to a second late, and a second in which nobody works would hide what the sides differ in. */
const promptTimers = ['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="1ms"'];

async function findProgram() {
  const { findTemporalProgram, obtainTemporalProgram } = require('@gantry/launcher');
  const home = join(root, '.gantry');
  const options = { environment: process.env, home, preferredServers: [] };
  const found = await findTemporalProgram(options);
  if (found.program !== undefined) return found.program.file;
  await obtainTemporalProgram({ environment: process.env, home, signal: AbortSignal.timeout(300_000) });
  return (await findTemporalProgram(options)).program.file;
}

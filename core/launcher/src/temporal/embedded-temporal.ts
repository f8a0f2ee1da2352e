import { rmSync } from 'node:fs';
import type { EmbeddedTemporalState } from '@gantry/contracts';
import type { HostConfig } from '@gantry/host/config';
import { isAlive, messageOf, sendSignal, type Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';
import { ensureFolder, writeAtomically } from '../common/files';
import { near } from '../common/near';
import { keepRunning, starting } from './keep-running';
import { endServer } from './launch';
import type { Launched } from './launch';
import { temporalLayout, type TemporalLayout } from './binaries/layout';
import { readRuntime, type TemporalPorts, writeRuntime } from './runtime-file';
import { inspectPlugins } from '@gantry/host/inspect-plugins';
import type { PluginSources } from '@gantry/host/inspect-plugins';
import { freePort, tryPort } from '../common/free-port';

export interface EmbeddedTemporalOptions {
  readonly config: Pick<HostConfig, 'home' | 'project' | 'pluginPath'>;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly logger: Logger;
  /** Called when it runs as another process than before. */
  readonly onChange: () => void;
}

/**
 * The development server of Temporal as one of the servers of the launcher, where a plugin needs it. Nothing waits for
 * it: its address is fixed before it runs, and the rest of the start runs in the background.
 */
export function createEmbeddedTemporal({
  config,
  environment,
  logger,
  onChange,
}: EmbeddedTemporalOptions): EmbeddedServer {
  const layout = temporalLayout(config.home);
  const namespace = environment['TEMPORAL_NAMESPACE'] || 'default';
  const stopping = new AbortController();
  let ports: TemporalPorts | undefined;
  let server: Launched | undefined;
  let state: EmbeddedTemporalState = starting;
  let ended: Promise<void> = Promise.resolve();
  const onState = (next: EmbeddedTemporalState): void => {
    state = next;
    try {
      writeState(layout, next);
    } catch (error) {
      // A full disk must not end the care for the server.
      logger.warn('the state of Temporal could not be reported to the hosts', { reason: messageOf(error) });
    }
  };
  return {
    name: 'temporal',
    start: async (signal) => {
      if (!(await needsTemporal(config))) return;
      ensureFolder(layout.root, 0o700);
      ports = await choosePorts(layout);
      onState(starting);
      const onServer = (next: Launched | undefined): void => {
        server = next;
        onChange();
      };
      const both = AbortSignal.any([stopping.signal, signal]);
      ended = keepRunning({
        home: config.home,
        layout,
        ports,
        namespace,
        environment,
        logger,
        signal: both,
        onState,
        onServer,
      });
    },
    stop: async ({ force = false } = {}) => {
      stopping.abort();
      if (force && server !== undefined) sendSignal(server.process.pid, 'SIGKILL');
      await ended;
      if (ports === undefined) return;
      // A server that runs already may not have been taken over yet.
      const left = server?.process ?? readRuntime(layout)?.process;
      if (left !== undefined && isAlive(left)) await endServer(left);
      forget(layout, ports, logger);
    },
    env: () => (ports === undefined ? {} : environmentOf(ports, namespace, layout.state)),
    banner: () => (ports === undefined ? [] : bannerOf(server, state, ports, layout.root)),
    pid: () => server?.process.pid,
  };
}

/** A full disk does not undo that the server has ended, and the next start sees by itself that its process is no more. */
function forget(layout: TemporalLayout, ports: TemporalPorts, logger: Logger): void {
  try {
    writeRuntime(layout, { ports });
    rmSync(layout.state, { force: true });
  } catch (error) {
    logger.warn('the end of Temporal could not be recorded', { reason: messageOf(error) });
  }
}

/** Settings for another Temporal, such as a certificate, must not be used on this one. */
function environmentOf(ports: TemporalPorts, namespace: string, stateFile: string): Readonly<Record<string, string>> {
  return {
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.frontend}`,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TLS: 'false',
    TEMPORAL_API_KEY: '',
    GANTRY_TEMPORAL_STATE: stateFile,
  };
}

function bannerOf(
  server: Launched | undefined,
  { message, remedy }: EmbeddedTemporalState,
  ports: TemporalPorts,
  folder: string,
): readonly (readonly [string, string])[] {
  if (server === undefined) {
    return [
      ['Temporal', message],
      ['', remedy],
    ];
  }
  return [['Temporal', `embedded server ${server.serverVersion} on port ${ports.frontend}, files in ${near(folder)}`]];
}

/** Publishes the state of Temporal for hosts, which are other processes. */
function writeState({ state }: TemporalLayout, content: EmbeddedTemporalState): void {
  writeAtomically(state, `${JSON.stringify(content)}\n`, 0o644);
}

/**
 * Whether any plugin that the platform would use has a task queue. Which of them this very process runs does not matter:
 * the servers belong to the home, and other processes may share them.
 */
async function needsTemporal({ home, project, pluginPath }: PluginSources): Promise<boolean> {
  try {
    const { plugins } = await inspectPlugins({ home, project, pluginPath });
    return plugins.some(({ state, contributes }) => state === 'stopped' && contributes.taskQueues.length > 0);
  } catch {
    // The host finds the same problem and reports it.
    return false;
  }
}

/**
 * The ports of the last start, so that clients find the server again; another one for each that another program
 * has taken. Those of a server that still runs are taken by that server.
 */
async function choosePorts(layout: TemporalLayout): Promise<TemporalPorts> {
  const runtime = readRuntime(layout);
  if (runtime?.process !== undefined && isAlive(runtime.process)) return runtime.ports;
  const [frontend, http] = await Promise.all([keptOrFree(runtime?.ports.frontend), keptOrFree(runtime?.ports.http)]);
  return { frontend, http };
}

async function keptOrFree(kept: number | undefined): Promise<number> {
  if (kept !== undefined && kept > 1023 && kept < 65_536 && 'port' in (await tryPort(kept))) return kept;
  return freePort();
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { HostMessage, PluginPhase, PluginProblem, PluginReport, PluginState, Quarantine } from '@gantry/contracts';
import type { PluginErrorCode } from '../../src/plugin-error';
import type { PluginSources } from '../../src/plugin-sources';
import type { PluginTimeouts } from '../../src/phases/run-phases';
import type { Served } from '../../src/registry';

/** Request for a start in a separate process. */
export interface RegistryRequest {
  readonly sources: PluginSources;
  readonly quarantines?: readonly Quarantine[];
  readonly timeouts?: Partial<PluginTimeouts>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Plugins that the composition root fails after loading. */
  readonly fail?: readonly {
    readonly plugin: string;
    readonly phase: PluginPhase;
    readonly problem: Omit<PluginProblem, 'phase'>;
  }[];
}

/** Result of the start, or the reason for which there is none. */
export interface RegistryRun {
  readonly reports: readonly PluginReport[];
  readonly registered: readonly {
    readonly id: string;
    readonly types: readonly string[];
    readonly routes: readonly string[];
    readonly mounts: readonly string[];
  }[];
  readonly served: Readonly<Record<string, Served>>;
  readonly required: { readonly code: PluginErrorCode; readonly message: string; readonly remedy: string } | null;
  readonly stopped: Readonly<Record<string, PluginState>>;
  readonly messages: readonly HostMessage[];
  readonly lines: readonly { readonly level: string; readonly plugin?: string; readonly message: string }[];
  /** Traces that plugins left in `globalThis.traces`. */
  readonly traces: readonly unknown[];
}

export interface RegistryExit {
  readonly run: RegistryRun | undefined;
  readonly messages: readonly HostMessage[];
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const script = join(__dirname, 'registry-process.cjs');

/** A process that runs one request after the other, each with a new loader and with the modules that are loaded already. */
interface RegistryServer {
  run(request: RegistryRequest): Promise<RegistryRun>;
  /** Projects whose modules it may have loaded. */
  readonly seen: Set<string>;
  stop(): void;
}

let server: RegistryServer | undefined;

afterAll(stopServer);

/** Loads, starts and stops plugins by the built loader in a process that has loaded no files of this project before. */
export async function runRegistry(request: RegistryRequest): Promise<RegistryRun> {
  const { project } = request.sources;
  if (server?.seen.has(project)) stopServer();
  server ??= startServer();
  server.seen.add(project);
  try {
    return await server.run(request);
  } catch (error) {
    // Its loader was not stopped.
    stopServer();
    throw error;
  }
}

function stopServer(): void {
  server?.stop();
  server = undefined;
}

function startServer(): RegistryServer {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    seen: new Set(),
    stop: () => child.connected && child.disconnect(),
    run: (request) =>
      new Promise((resolve, reject) => {
        const end = (code: number | null): void => reject(new Error(`The process ended with ${code}: ${stderr}`));
        child.once('close', end);
        child.once('message', ({ run, error }: { readonly run?: RegistryRun; readonly error?: string }) => {
          child.off('close', end);
          if (run === undefined) reject(new Error(error));
          else resolve(run);
        });
        child.send(request);
      }),
  };
}

/** The same in a process for this request only, for plugins that take it down. @param onMessage may end the process */
export async function exitOfRegistry(
  request: RegistryRequest,
  onMessage: (message: HostMessage, kill: () => void) => void = () => undefined,
): Promise<RegistryExit> {
  const child = spawn(process.execPath, [script, JSON.stringify(request)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const messages: HostMessage[] = [];
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.on('message', (message) => {
    messages.push(message as HostMessage);
    onMessage(message as HostMessage, () => child.kill('SIGKILL'));
  });
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...end) => resolve(end));
  });
  return { run: stdout === '' ? undefined : (JSON.parse(stdout) as RegistryRun), messages, stderr, exitCode, signal };
}

/** The report of one plugin. */
export function reportOf(run: RegistryRun, id: string): PluginReport {
  const report = run.reports.find((candidate) => candidate.id === id);
  const ids = run.reports.map((one) => one.id).join(', ');
  if (report === undefined) throw new Error(`No report of ${id}; there are ${ids}`);
  return report;
}

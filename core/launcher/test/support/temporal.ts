import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddedTemporalState } from '@gantry/contracts';
import { isAlive, sendSignal } from '@gantry/core-common';
import { z } from 'zod';
import { dropPlugin } from '../../../../test/support/drop-plugin';
import { findTemporalCli } from '../../../../test/support/temporal-binaries';
import type { TemporalRuntime } from '../../src/temporal/runtime-file';
import { eventually } from '../../../../test/support/eventually';

/** A folder with one plugin that has a task queue; only its manifest is ever read. */
export function pluginWithQueue(home: string): string {
  const folder = join(dirname(home), 'plugins');
  dropPlugin(folder, { id: 'parcels', start: '', taskQueue: 'parcels-tq' });
  return folder;
}

/** Settings of a platform with that plugin, and with the database of the test run. */
export async function temporalEnvironment(home: string): Promise<Record<string, string>> {
  return {
    DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '',
    GANTRY_PLUGIN_PATH: pluginWithQueue(home),
    GANTRY_TEMPORAL_CLI: await findTemporalCli(),
  };
}

/** Programs in a folder of PATH. */
export interface Programs {
  readonly folder: string;
  /** Puts a shell script there. */
  put(name: string, script: string): string;
}

export function makePrograms(home: string): Programs {
  const folder = join(dirname(home), 'programs');
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    put: (name, script) => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
      return file;
    },
  };
}

/** A PATH with these programs before those of the system, and a network on which nothing answers. */
export function withoutNetwork(
  home: string,
  programs: Programs,
): Readonly<Record<'PATH' | 'GANTRY_CACHE' | 'HTTPS_PROXY' | 'HTTP_PROXY' | 'PIP_CONFIG_FILE', string>> {
  return {
    PIP_CONFIG_FILE: '/dev/null',
    PATH: [programs.folder, '/usr/bin', '/bin'].join(':'),
    GANTRY_CACHE: join(dirname(home), 'cache'),
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
  };
}

export function runtimeOf(home: string): TemporalRuntime {
  return JSON.parse(readFileSync(join(home, 'temporal', 'runtime.json'), 'utf8')) as TemporalRuntime;
}

/** @throws when the server was stopped. */
export function temporalPid(home: string): number {
  const pid = runtimeOf(home).process?.pid;
  if (pid === undefined) throw new Error(`no Temporal is running on ${home}`);
  return pid;
}

export function stateOf(home: string): EmbeddedTemporalState {
  return JSON.parse(readFileSync(join(home, 'temporal', 'state.json'), 'utf8')) as EmbeddedTemporalState;
}

/** Resolves when the server of the home runs and answers. */
export async function temporalRuns(home: string): Promise<void> {
  await eventually(() => stateOf(home).state === 'running', 'Temporal is running');
}

/** Runs the command line of Temporal against the server of a home. */
async function temporal(home: string, ...args: string[]): Promise<string> {
  const address = `127.0.0.1:${runtimeOf(home).ports.frontend}`;
  const { stdout } = await promisify(execFile)(await findTemporalCli(), [...args, '--address', address]);
  return stdout;
}

/** How long the server of a home keeps workflows after their end, for example `720h0m0s`. */
export async function retentionOf(home: string, namespace: string): Promise<string> {
  const text = await temporal(home, 'operator', 'namespace', 'describe', '--namespace', namespace, '--output', 'json');
  return namespaceSettings.parse(JSON.parse(text)).config.workflowExecutionRetentionTtl;
}

const namespaceSettings = z.object({ config: z.object({ workflowExecutionRetentionTtl: z.string() }) });

export async function chooseRetention(home: string, namespace: string, retention: string): Promise<void> {
  await temporal(home, 'operator', 'namespace', 'update', '--namespace', namespace, '--retention', retention);
}

/** Starts a workflow that no worker takes. */
export async function startWorkflow(home: string, workflowId: string): Promise<void> {
  const names = ['--type', 'wait', '--task-queue', 'parcels-tq'];
  await temporal(home, 'workflow', 'start', ...names, '--workflow-id', workflowId);
}

const described = z.object({ workflowExecutionInfo: z.object({ status: z.string() }) });

export async function workflowStatus(home: string, workflowId: string): Promise<string> {
  const text = await temporal(home, 'workflow', 'describe', '--workflow-id', workflowId, '--output', 'json');
  return described.parse(JSON.parse(text)).workflowExecutionInfo.status;
}

/** The events of a workflow, as the command line prints them. */
export function historyOf(home: string, workflowId: string): Promise<string> {
  return temporal(home, 'workflow', 'show', '--workflow-id', workflowId);
}

/** Ends what a failed test left running on a home. */
export function endTemporal(home: string): void {
  try {
    const { process } = runtimeOf(home);
    if (process !== undefined && isAlive(process)) sendSignal(process.pid, 'SIGKILL');
  } catch {
    // The process had ended before.
  }
}

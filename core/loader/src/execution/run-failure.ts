import { join } from 'node:path';
import type { PluginPhase, PluginProblem } from '@gantry/contracts';
import { describeError, isError } from '@gantry/core-common';
import { positionOf } from './error-position';
import { PluginExitError } from './exit-guard';
import type { Manifest } from '../manifest/manifest';
import { PluginTimeoutError } from './phase-limit';
import { createProblem, type ProblemCode } from '../problem-kinds';

interface FailedRun {
  readonly manifest: Manifest;
  /** Of the plugin, so that a place in its files can be named. */
  readonly folder: string;
  /** In which its author works, when that is another folder. */
  readonly source?: string;
  readonly phase: PluginPhase;
  /** For what the code threw by itself. */
  readonly code: ProblemCode;
  /** Begins the sentence, for example `The start function`. */
  readonly what: string;
  /** The position of the error, if the error itself does not name it. */
  readonly position?: string | undefined;
}

/** Why a run of plugin code failed, as text for the report. */
export function problemOfRun(error: unknown, failed: FailedRun): PluginProblem {
  const { manifest, folder, source = folder, phase, code, what, position = positionOf(error, folder) } = failed;
  // Before its start it is not in use, and may never have been enabled.
  const isInUse = phase !== 'load' && phase !== 'register';
  const remedy = `Fix the plugin${isInUse ? `, or disable it: gantry plugins disable ${manifest.id}` : ''}`;
  if (error instanceof PluginExitError) {
    return createProblem('PLUGIN_EXITED', `${what} called ${error.call}, which would end the platform`, remedy, phase);
  }
  if (error instanceof PluginTimeoutError) {
    return createProblem('PLUGIN_TIMEOUT', `${what} did not finish within ${error.timeoutMs / 1000} s`, remedy, phase);
  }
  const where = position === undefined ? '' : ` (${position})`;
  return createProblem(code, `${what} failed: ${describeError(error)}${where}`, hintOf(error, source) ?? remedy, phase);
}

/** A remedy for errors of Node.js that name none. */
function hintOf(error: unknown, folder: string): string | undefined {
  if (!isError(error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `Compile the plugin to JavaScript, and name the built file as main in ${join(folder, 'package.json')}`;
  }
  const [, missing] = /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'@][^/']*)'/.exec(error.message) ?? [];
  if (missing === undefined || (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND')) return undefined;
  return `Name ${missing} in dependencies of ${join(folder, 'package.json')}, and install it there: npm install --legacy-peer-deps`;
}

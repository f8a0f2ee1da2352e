import { TestWorkflowEnvironment, type LocalTestWorkflowEnvironmentOptions } from '@temporalio/testing';
import { findTemporalCli } from './temporal-binaries';

const maxAttempts = 3;

export type LocalTemporalOptions = Omit<LocalTestWorkflowEnvironmentOptions, 'server'> & {
  /** Those of the server, but for the program. */
  readonly server?: Omit<NonNullable<LocalTestWorkflowEnvironmentOptions['server']>, 'executable'>;
};

/**
 * Starts a development server of Temporal. The SDK waits five seconds for it, which a busy machine may need for the start of a
 * process alone; then it is started again.
 */
export async function startLocalTemporal({
  server,
  ...options
}: LocalTemporalOptions = {}): Promise<TestWorkflowEnvironment> {
  const path = await findTemporalCli();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await TestWorkflowEnvironment.createLocal({
        ...options,
        server: { ...server, executable: { type: 'existing-path', path } },
      });
    } catch (error) {
      if (attempt === maxAttempts || !String(error).includes('did not start within')) throw error;
    }
  }
}

import { idempotencySchema } from '@gantry/core-http/tables';
import { answerCheck } from '@gantry/core-lifecycle/check-process';
import { compileForCommand } from './composition/compile-for-command';
import { createStderrLogger } from './common/logger';
import { parseConfig } from './config';
import { replayOpenWorkflows } from './temporal/replay-open-workflows';

/** The process in which code of plugins is tried out. */
answerCheck({
  // Of the tables of the platform, those that a plugin's are planned with: its items, feed and search.
  compile: (options) => compileForCommand({ ...options, platform: [idempotencySchema] }),
  logger: createStderrLogger('silent'),
  parseConfig,
  replay: replayOpenWorkflows,
});

import { answerCheck } from '@gantry/core-lifecycle/check-process';
import { createStderrLogger } from './common/logger';
import { platformSchemas } from './composition/platform-schemas';
import { parseConfig } from './config';
import { replayOpenWorkflows } from './temporal/replay-open-workflows';

/** The process in which code of plugins is tried out. */
answerCheck({
  platform: platformSchemas,
  logger: createStderrLogger('silent'),
  parseConfig,
  replay: replayOpenWorkflows,
});

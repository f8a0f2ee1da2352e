import type { Files } from '../write-files';
import { workflowOf, type Plugin } from './plugin';

export function serviceFiles({ id }: Plugin): Files {
  return {
    'src/activities.ts': activities,
    'src/workflows.ts': workflows(workflowOf(id)),
    'bundle.mjs': bundle,
  };
}

const activities = `import type { ServiceContext } from '@gantry/plugin-api';

export interface Activities {
  greet(name: string): Promise<string>;
}

/** Effects of the workflows. Temporal may call an activity again: it must do no harm when it runs twice. */
export function createActivities({ logger }: ServiceContext): Activities {
  return {
    async greet(name) {
      const greeting = \`Good day, \${name}\`;
      logger.info({ name }, greeting);
      return greeting;
    },
  };
}
`;

function workflows(name: string): string {
  return `import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from './activities';

const { greet } = proxyActivities<Activities>({ startToCloseTimeout: '30 seconds', retry: { maximumAttempts: 10 } });

/** Its name, as exported, is the workflow type. It runs again from its history: only activities have effects. */
export async function ${name}(name: string): Promise<string> {
  await sleep('1 second');
  return greet(name);
}
`;
}

const bundle = `// Bundles the workflows into one file, which is all that Temporal's sandbox sees.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

const dist = join(import.meta.dirname, 'dist');
const { code } = await bundleWorkflowCode({ workflowsPath: join(dist, 'workflows.js') });
await writeFile(join(dist, 'workflow-bundle.js'), code);
`;

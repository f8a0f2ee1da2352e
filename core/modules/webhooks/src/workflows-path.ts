import { join } from 'node:path';

/** File of the bundled workflows; seen from the sources as well as from the build. */
export const workflowsPath = join(__dirname, '..', 'dist', 'workflow-bundle.js');

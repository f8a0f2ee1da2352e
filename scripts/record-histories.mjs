/**
 * Records the histories of every branch of the order workflows again (test/workflows/fixtures/histories). To be run when a
 * change of the workflows adds a branch, after a patch; copy those that the patch has made different to earlier-histories
 * before: the replay test compares with both.
 *
 *   node scripts/record-histories.mjs
 */
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');

await bundleWorkflows();
await rm(join(project, 'test', 'workflows', 'fixtures', 'histories'), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(project, 'node_modules', 'jest', 'bin', 'jest.js'),
    'test/workflows/skipped-time.test.ts',
    'test/services/running-orders.test.ts',
    '--testNamePattern',
    // The suites in test/workflows/suites that keep histories.
    'the parent workflow of an order|the child workflow that delivers an order|an order that is cancelled while',
  ],
  { cwd: project, stdio: 'inherit', env: { ...process.env, GANTRY_RECORD_HISTORIES: '1' } },
);
process.exitCode = status ?? 1;

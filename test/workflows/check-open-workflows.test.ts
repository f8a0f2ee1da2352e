import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskQueues, workflowTypes, type PluginCheckReport } from '@gantry/contracts';
import { checkPlugins } from '@gantry/host';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { eventually } from '../support/eventually';
import { startLocalTemporal } from '../support/local-temporal';
import { workflowBundle } from './support/order-environment';
import { readWorkflowCode } from './support/workflow-code';

const order = join(__dirname, '..', '..', 'services', 'order');

describe('the check of a service with an open workflow', () => {
  let folder: string;
  let temporal: TestWorkflowEnvironment;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
    temporal = await startLocalTemporal();
    await openWorkflow();
  });
  afterAll(async () => {
    await temporal.teardown();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An order that waits for its payment, and no worker any more. */
  async function openWorkflow(): Promise<void> {
    const worker = await Worker.create({
      connection: temporal.nativeConnection,
      taskQueue: taskQueues.order,
      workflowBundle: await readWorkflowCode(workflowBundle('order')),
    });
    await worker.runUntil(async () => {
      const handle = await temporal.client.workflow.start(workflowTypes.placeOrder, {
        taskQueue: taskQueues.order,
        workflowId: 'order-1001',
        args: [{ orderId: '1001' }],
      });
      await eventually(async () => {
        const { events = [] } = await handle.fetchHistory();
        return (events ?? []).some(({ workflowTaskCompletedEventAttributes: done }) => Boolean(done));
      });
    });
  }

  /** Checks a copy of the order service. @param bundle of its workflows */
  async function checkWith(name: string, bundle: string): Promise<PluginCheckReport | undefined> {
    const plugins = join(folder, name);
    mkdirSync(plugins);
    cpSync(order, join(plugins, 'order'), { recursive: true, filter: (path) => !path.includes('node_modules') });
    // Packages that a plugin does not carry itself are found above its folder.
    symlinkSync(join(__dirname, '../../node_modules'), join(plugins, 'node_modules'), 'junction');
    cpSync(bundle, join(plugins, 'order/dist/workflow-bundle.js'));
    const { reports } = await checkPlugins(
      {
        config: { home: join(folder, 'home'), project: folder, pluginPath: [plugins] },
        environment: { PATH: process.env['PATH'], TEMPORAL_ADDRESS: temporal.address },
      },
      ['order'],
    );
    return reports[0];
  }

  it('finds that it can continue with the code as it is', async () => {
    expect((await checkWith('same', workflowBundle('order')))?.lines).toContainEqual({
      part: 'workflows',
      rule: 'workflows/replayed',
      outcome: 'ok',
      message: expect.stringMatching(/ order-tq .* 1 open workflow /) as string,
    });
  });

  it('refuses code with which it cannot, and names it', async () => {
    const report = await checkWith('other', workflowBundle('consignment'));

    expect(report?.outcome).toBe('problem');
    expect(report?.lines).toContainEqual({
      part: 'workflows',
      rule: 'workflows/workflow-incompatible',
      outcome: 'problem',
      code: 'WORKFLOW_INCOMPATIBLE',
      message: expect.stringMatching(/ order-1001 .*: .*placeOrder/) as string,
      remedy: expect.any(String) as string,
    });
  });
});

import { callTemporal, signalWorkflow } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { eventually } from '../../../../test/support/eventually';
import { createTemporalAccess, type TemporalAccess } from '../../src/temporal/temporal-access';
import { readTemporalSettings } from '../../src/temporal/settings';
import { createDevServer, type DevServer } from './support/dev-server';

describe('a Temporal that was there and is killed', () => {
  let server: DevServer;
  let access: TemporalAccess;
  beforeAll(async () => {
    server = await createDevServer();
    await server.start();
    access = createTemporalAccess(readTemporalSettings({ TEMPORAL_ADDRESS: server.address }));
    await callTemporal(access, countWorkflows);
    await server.kill();
  });
  afterAll(async () => {
    await access.close();
    await server.remove();
  });

  it('is reported as UNAVAILABLE to everybody who asks, before the deadline of the call', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, index) => {
        await (index % 2 === 0
          ? callTemporal(access, countWorkflows)
          : signalWorkflow(access, 'order-1', 'paymentReceived', 'placeOrder'));
      }),
    );

    const unavailable = expect.objectContaining({
      code: 'UNAVAILABLE',
      // A call that its deadline ends says that Temporal did not answer within five seconds.
      message: expect.stringContaining('Temporal is unavailable'),
      headers: { 'Retry-After': '5' },
    });
    expect(answers).toEqual(answers.map(() => ({ status: 'rejected', reason: unavailable })));
  });

  it('is reported as degraded to those who ask for its health', async () => {
    expect(await access.health()).toMatchObject({ name: 'temporal', status: 'degraded' });
  });

  it('is used again as soon as it is back', async () => {
    await server.start();

    await eventually(async () => (await access.health()).status === 'up', 15_000);
    expect(await callTemporal(access, countWorkflows)).toBe(0);
  });
});

async function countWorkflows({ workflowService, options }: Client): Promise<number> {
  return Number((await workflowService.countWorkflowExecutions({ namespace: options.namespace })).count);
}

import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { createOutages } from '../src/composition/outages';

const worker = { id: 'email', contributes: { itemTypes: [], taskQueues: ['email-tq'], routes: [] } };
const catalog = { id: 'catalog', contributes: { itemTypes: [], taskQueues: [], routes: [] } };

describe('the services that the start of a plugin may wait for', () => {
  it('are PostgreSQL, and Temporal where the plugin has a worker; an outage is logged once', async () => {
    const logger = createRecordedLogger();
    let temporal = true;
    const isWaiting = createOutages(
      { ping: () => Promise.resolve() },
      { logger, isTemporalUnavailable: () => Promise.resolve(temporal) },
    );

    expect([await isWaiting(worker), await isWaiting(worker), await isWaiting(catalog)]).toEqual([true, true, false]);
    temporal = false;
    expect(await isWaiting(worker)).toBe(false);
    expect(logger.lines).toMatchObject([
      { fields: { plugin: 'email' }, message: 'Temporal does not answer; its time limit waits' },
    ]);
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('connection refused'))],
    ['does not answer', () => new Promise<void>(() => undefined)],
  ])('are unavailable where PostgreSQL %s, also without a Temporal', async (_what, ping) => {
    const isWaiting = createOutages({ ping }, { logger: createRecordedLogger() });
    expect(await isWaiting(catalog)).toBe(true);
  });
});

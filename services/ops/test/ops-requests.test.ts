import ops from '@gantry/service-ops';
import { useServices, type OpenServices } from '../../../test/services/support/open-services';

const opened = useServices();

// Refused before Temporal is asked, which is unavailable here.
describe('the bodies of what controls a workflow', () => {
  let services: OpenServices;
  beforeAll(() => {
    services = opened();
  });

  test.each([
    ['cancel', { reason: '' }],
    ['cancel', { reason: 5 }],
    ['cancel', { reason: ' ' }],
    ['cancel', { reason: 'a\u202eb' }],
    ['cancel', { requestedBy: 'a\ud800' }],
    ['terminate', { requestedBy: 'a\nb' }],
    ['terminate', { because: 'why' }],
    ['signal', {}],
    ['signal', { signal: ['paymentReceived'] }],
    ['signal', { signal: 'postpone', args: { days: 1 } }],
    ['signal', { signal: 'postpone', args: Array.from({ length: 21 }, () => 1) }],
    ['signal', { signal: 'postpone', args: [{ ids: [9_007_199_254_740_993_000] }] }],
    ['reset', {}],
    ['reset', { to: 'SOMEWHERE' }],
    ['reset', { to: 0 }],
    ['reset', { to: 1.5 }],
    ['reset', { to: 'FIRST_TASK', dryRun: 'yes' }],
    ['reset', { to: 'FIRST_TASK', acknowledge: true }],
    ['reset', { to: 'FIRST_TASK', acknowledge: ['EVERYTHING'] }],
  ])('%s refuses %j', async (verb, body) => {
    await expect(post('order-none', verb, body)).rejects.toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });

  test.each([null, [], 'cancel'])('a body of %j is refused', async (body) => {
    const cancelled = post('order-none', 'cancel', body);
    await expect(cancelled).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });

  test('the health names Temporal, without which no request to operations is served', async () => {
    expect(await ops.health?.(services.context('ops'))).toEqual({
      status: 'down',
      message: expect.stringMatching(/Temporal is unavailable in this test\..* 503 /),
    });
  });

  function post(workflowId: string, verb: string, body: unknown) {
    return services.call(`POST /workflows/:workflowId/${verb}`, { params: { workflowId }, body });
  }
});

import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { askUntil } from '../../support/ask-until';
import { createOpsView, newOrderId } from '../support/ops-view';
import type { QuickOrders } from '../support/quick-orders';

export function describeOpsUnusual(orders: () => QuickOrders): void {
  describe('unusual requests to the operations view', () => {
    let environment: OrderEnvironment;
    const { post, detail, eventsOf, listed } = createOpsView(() => orders().services);
    beforeAll(() => {
      ({ environment } = orders());
    });

    test.each([
      'WorkflowId = "\u0000"',
      String.raw`WorkflowId = '\0'`,
      String.raw`WorkflowId = '\\\0'`,
      "WorkflowId = 'open",
      "WorkflowId = 'a' UNION SELECT 1",
      "WorkflowId LIKE 'a%'",
      "WorkflowId = 'a' ORDER BY StartTime",
      "StartTime > 'yesterday'",
      'Nothing = 1',
      'GROUP BY ExecutionStatus',
      `${'('.repeat(250)}WorkflowId = 'a'${')'.repeat(250)}`,
    ])('answers 400 for the condition %j', async (query) => {
      await expect(listed({ query })).rejects.toMatchObject({ status: 400, details: [{ path: 'query' }] });
    });

    test('takes a backslash before the digit 0', async () => {
      expect(await listed({ query: String.raw`WorkflowId = '\\0'` })).toEqual([]);
    });

    test.each(['a line\nbreak', 'a bell\u0007', 'NUL\u0000', 'a/slash', 'next\u0085line', ' spaces ', `quotes'"\``])(
      'lists, shows and ends a workflow with the id %j',
      async (id) => {
        const workflowId = `${id} ${newOrderId('delivered')}`;
        const { client } = environment.temporal;
        await client.workflow.start('foreign', { workflowId, taskQueue: 'of nobody' });

        await post(workflowId, 'signal', { signal: 'go' });
        expect(await eventsOf(workflowId)).toHaveLength(3);
        await post(workflowId, 'terminate');
        expect(await detail(workflowId)).toMatchObject({ workflowId, status: 'TERMINATED' });
        await askUntil(
          () => listed({ type: 'foreign', status: 'TERMINATED' }),
          (found) => found.some((workflow) => workflow.workflowId === workflowId),
        );
      },
    );
  });
}

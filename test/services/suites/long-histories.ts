import { randomUUID } from 'node:crypto';
import type { PlatformSchema } from '@gantry/client/platform';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { activity, failure, markers, startHandMade, type HandMadeWorkflow } from '../support/hand-made-workflow';
import type { OpenServices } from '../support/open-services';
import type { OrderServices } from '../support/order-services';

type ResetOutcome = PlatformSchema<'ops.ResetOutcome'>;
type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;

interface HistoryAnswer {
  readonly runId: string;
  readonly ids: readonly number[];
  readonly total: number;
  readonly nextCursor?: string;
}

export function describeLongHistories(opened: () => OrderServices): void {
  describe('a workflow of others with thousands of events, and what is read by page', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    let workflow: HandMadeWorkflow;
    beforeAll(async () => {
      ({ environment, services } = opened());
      workflow = await startHandMade(environment.temporal, 'long');
      await workflow.answer([activity('early'), ...markers(600)], true);
      for (let task = 0; task < 3; task += 1) await workflow.answer(markers(600), true);
      await workflow.answer([activity('late')]);
    });

    test('is read page by page, every event once and in order, whatever the size of a page', async () => {
      for (const limit of ['1000', '997']) {
        const pages = await allPages({ limit });

        const [first] = pages;
        expect(pages.flatMap(({ ids }) => ids)).toEqual(
          Array.from({ length: first?.total ?? 0 }, (_, index) => index + 1),
        );
        expect(pages.slice(0, -1).every(({ ids }) => ids.length === Number(limit))).toBe(true);
        expect(first?.total).toBeGreaterThan(2_400);
      }
    });

    test('gives a thousand events unless asked for fewer', async () => {
      expect((await page({})).ids).toHaveLength(1_000);
      expect((await page({ limit: '1' })).ids).toEqual([1]);
    });

    test('has a detail with the first events and the open steps, which names its limit', async () => {
      const view = await detail();

      expect(view).toMatchObject({ status: 'RUNNING', readEvents: 2_000 });
      expect(view.historyLength).toBeGreaterThan(2_400);
      expect(view.activities).toMatchObject([
        { type: 'early', state: 'scheduled', taskQueue: 'nobody-tq' },
        { type: 'late', state: 'scheduled', taskQueue: 'nobody-tq' },
      ]);
      expect(view.problems).toContainEqual(expect.stringMatching(/ nobody-tq: .* activity late /));
    });

    test.each([
      ['limit', '0'],
      ['limit', '1001'],
      ['limit', '-1'],
      ['limit', 'all'],
      ['limit', ''],
      ['after', ''],
      ['after', '1000'],
      ['after', 'bm90IGEgdG9rZW4.AAAAAAAA'],
    ])('refuses a %s of "%s"', async (name, value) => {
      await expect(page({ [name]: value })).rejects.toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: [{ path: name }],
      });
    });

    test('refuses a cursor of another workflow, of another run and of the list', async () => {
      const { nextCursor: after = '' } = await page({ limit: '1' });
      const other = await startHandMade(environment.temporal, `other-${randomUUID()}`);
      const { meta } = await services.call('GET /workflows', { query: { limit: '1' } });
      const ofList = String(meta?.['nextCursor']);

      const refused = { status: 400, details: [expect.objectContaining({ path: 'after' })] };
      await expect(page({ after }, other.workflowId)).rejects.toMatchObject(refused);
      await expect(page({ after, runId: other.runId })).rejects.toMatchObject(refused);
      await expect(page({ after: ofList })).rejects.toMatchObject(refused);
      await expect(services.call('GET /workflows', { query: { after } })).rejects.toMatchObject(refused);
    });

    test.each([
      [{ status: 'DONE' }],
      [{ status: 'Completed' }],
      [{ type: `placeOrder' OR 'a' = 'a` }],
      [{ type: '' }],
      [{ limit: '0' }],
      [{ limit: '1001' }],
      [{ limit: 'ten' }],
      [{ after: 'not a cursor' }],
      [{ after: 'bm90IGEgdG9rZW4' }],
      [{ after: 'bm90IGEgdG9rZW4.AAAAAAAA' }],
      [{ query: 'GROUP BY ExecutionStatus' }],
      [{ query: `WorkflowType = 'a' group  by ExecutionStatus` }],
    ])('a list of workflows refuses %j', async (query) => {
      await expect(services.call('GET /workflows', { query })).rejects.toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
      });
    });

    test.each([
      [{ query: 'this is no condition' }],
      [{ query: `WorkflowId = 'open` }],
      [{ query: 'NoSuchAttribute = 1' }],
      [{ query: `WorkflowId = 'a') OR (1 = 1`, status: 'FAILED' }],
    ])('a list of workflows refuses %j, which Temporal does not understand', async (query) => {
      await expect(services.call('GET /workflows', { query })).rejects.toMatchObject({
        status: 400,
        code: 'BAD_REQUEST',
        details: [{ path: 'query', code: 'VALUE_INVALID' }],
      });
    });

    test('that has failed says why, is reset to any point, and is read on in the run in which it was begun', async () => {
      await workflow.signal();
      await workflow.answer([failure('it was too long')]);
      expect(await detail()).toMatchObject({ status: 'FAILED', failure: 'it was too long', readEvents: 2_000 });
      const begun = await page({ limit: '10' });

      const { data } = await services.call('POST /workflows/:workflowId/reset', {
        params: { workflowId: 'long' },
        body: { to: 'LAST_TASK' },
      });
      expect((data as ResetOutcome).eventId).toBeGreaterThan(2_400);
      const next = await page({ limit: '10', after: begun.nextCursor ?? '' });
      expect(next).toMatchObject({ runId: workflow.runId, ids: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20] });
    });

    async function page(query: Readonly<Record<string, string>>, workflowId = 'long'): Promise<HistoryAnswer> {
      const { data, meta } = await services.call('GET /workflows/:workflowId/history', {
        params: { workflowId },
        query,
      });
      const { runId, events } = data as {
        readonly runId: string;
        readonly events: readonly { readonly eventId: string }[];
      };
      return { runId, ids: events.map(({ eventId }) => Number(eventId)), ...(meta as { readonly total: number }) };
    }

    async function allPages(query: Readonly<Record<string, string>>): Promise<readonly HistoryAnswer[]> {
      const pages = [await page(query)];
      for (let after = pages[0]?.nextCursor; after !== undefined; after = pages.at(-1)?.nextCursor) {
        pages.push(await page({ ...query, after }));
      }
      return pages;
    }

    async function detail(): Promise<WorkflowDetail> {
      const { data } = await services.call('GET /workflows/:workflowId', { params: { workflowId: 'long' } });
      return data as WorkflowDetail;
    }
  });
}

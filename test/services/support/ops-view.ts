import { randomUUID } from 'node:crypto';
import type { PlatformSchema } from '@gantry/client/platform';
import { askUntil } from '../../support/ask-until';
import type { OpenServices } from './open-services';

type OperationsOverview = PlatformSchema<'ops.OperationsOverview'>;
type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;
type WorkflowSummary = PlatformSchema<'ops.WorkflowSummary'>;

type Query = Readonly<Record<string, string>>;

interface Event {
  readonly eventId: string;
  readonly eventType: string;
}

/** Requests of tests to the operations routes. @param services asked for when a test runs */
export function createOpsView(services: () => OpenServices) {
  const post = (workflowId: string, verb: string, body: unknown = {}) =>
    services().call(`POST /workflows/:workflowId/${verb}`, { params: { workflowId }, body });
  const detail = async (workflowId: string): Promise<WorkflowDetail> =>
    (await services().call('GET /workflows/:workflowId', { params: { workflowId } })).data as WorkflowDetail;
  const eventsOf = async (workflowId: string): Promise<readonly Event[]> => {
    const { data } = await services().call('GET /workflows/:workflowId/history', { params: { workflowId } });
    return (data as { readonly events: readonly Event[] }).events;
  };
  let later = 0;
  return {
    post,
    reset: (orderId: string, to: string | number, more: object = {}) =>
      post(`order-${orderId}`, 'reset', { to, ...more }),
    /** Of all workflows, so many milliseconds after the last time that they were asked for here. */
    async problemsLater(milliseconds: number): Promise<readonly string[]> {
      later += milliseconds;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + later);
      const { data } = await services()
        .call('GET /operations')
        .finally(() => clock.mockRestore());
      return (data as OperationsOverview).problems;
    },
    detail,
    detailWhen: (workflowId: string, isWanted: (view: WorkflowDetail) => boolean) =>
      askUntil(() => detail(workflowId), isWanted),
    listed: async (query: Query) =>
      (await services().call('GET /workflows', { query })).data as readonly WorkflowSummary[],
    allPages: (query: Query) => readAllPages(services(), query),
    eventsOf,
    /** The workflow task that ended last before the first event of the type. */
    async taskBefore(workflowId: string, eventType: string): Promise<number> {
      const events = await eventsOf(workflowId);
      const end = events.findIndex((event) => event.eventType === eventType);
      return Number(events.slice(0, end).findLast(isTaskCompleted)?.eventId);
    },
    /** The workflow task that ended first after the first event of the type. */
    async taskAfter(workflowId: string, eventType: string): Promise<number> {
      const events = await eventsOf(workflowId);
      const start = events.findIndex((event) => event.eventType === eventType);
      return Number(events.slice(start).find(isTaskCompleted)?.eventId);
    },
  };
}

/** Of an order without a row. The quick consignment ends as the id says. */
export function newOrderId(kind: 'delivered' | 'undelivered'): string {
  return `${kind}-rowless-${randomUUID()}`;
}

export function hasNoRow(orderId: string): boolean {
  return orderId.includes('-rowless-');
}

/** A worker that has much to do does not answer within the second that a detail waits for it. */
export function hasState({ state }: WorkflowDetail): boolean {
  return state !== undefined;
}

async function readAllPages(services: OpenServices, query: Query): Promise<readonly WorkflowSummary[]> {
  const found: WorkflowSummary[] = [];
  for (let after: string | undefined, page = 0; page === 0 || after !== undefined; page += 1) {
    const answer = await services.call('GET /workflows', { query: after === undefined ? query : { ...query, after } });
    found.push(...(answer.data as readonly WorkflowSummary[]));
    after = answer.meta?.['nextCursor'] as string | undefined;
  }
  return found;
}

function isTaskCompleted({ eventType }: Event): boolean {
  return eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED';
}

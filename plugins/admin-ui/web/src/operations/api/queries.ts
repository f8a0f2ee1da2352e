import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { countOrders, countOrdersByDay, listOrders, type OrderListRequest } from './orders';
import {
  eventsAtOnce,
  getHistory,
  getOverview,
  getWorkflow,
  listWorkflows,
  type History,
  type WorkflowListRequest,
} from './workflows';

/** This key contains everything that an action on a workflow may change. */
export const operationsKey = ['operations'] as const;

/** The platform is on this machine: it can be asked without a network. */
const networkMode = 'always' as const;

/** A page of workflows; the one before stays while the next one loads. */
export const workflowsQuery = (wanted: WorkflowListRequest) =>
  queryOptions({
    queryKey: [...operationsKey, 'workflows', wanted],
    queryFn: ({ signal }) => listWorkflows(wanted, signal),
    placeholderData: keepPreviousData,
    networkMode,
  });

export const workflowQuery = (workflowId: string, runId?: string) =>
  queryOptions({
    queryKey: [...operationsKey, 'workflow', workflowId, runId ?? 'newest'],
    queryFn: ({ signal }) => getWorkflow(workflowId, runId, signal),
    networkMode,
  });

/** The first events of a run; while more are read, those that are there stay. */
export const historyQuery = (workflowId: string, runId?: string, most = eventsAtOnce) => {
  const ofRun = [...operationsKey, 'history', workflowId, runId ?? 'newest'];
  return queryOptions({
    queryKey: [...ofRun, most],
    queryFn: ({ signal }) => getHistory(workflowId, { runId, most }, signal),
    placeholderData: (before: History | undefined, query) =>
      ofRun.every((part, index) => query?.queryKey[index] === part) ? before : undefined,
    networkMode,
  });
};

/** A page of orders; the one before stays while the next one loads. */
export const ordersQuery = (wanted: OrderListRequest) =>
  queryOptions({
    queryKey: [...operationsKey, 'orders', wanted],
    queryFn: ({ signal }) => listOrders(wanted, signal),
    placeholderData: keepPreviousData,
    networkMode,
  });

/** How many orders each group has. */
export const orderCountsQuery = queryOptions({
  queryKey: [...operationsKey, 'order-counts'],
  queryFn: ({ signal }) => countOrders(signal),
  networkMode,
});

export const ordersByDayQuery = queryOptions({
  queryKey: [...operationsKey, 'orders-by-day'],
  queryFn: ({ signal }) => countOrdersByDay(signal),
  staleTime: 60_000,
  networkMode,
});

/** How many runs are in which state, what keeps failing, and where Temporal's own pages are. */
export const overviewQuery = queryOptions({
  queryKey: [...operationsKey, 'overview'],
  queryFn: ({ signal }) => getOverview(signal),
  networkMode,
});

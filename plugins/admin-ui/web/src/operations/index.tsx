import type { RouteObject } from 'react-router-dom';
import { mayReader } from '../api/platform/initial-data';
import { loadPage } from '../api/load-page';
import type { NavigationEntry } from '../ui/page/navigation-entry';
import { FlowIcon, InboxIcon } from '../ui/icons';

/** The operations pages: workflows and orders. Each is loaded when it is first opened. */
export const operationsRoutes: readonly RouteObject[] = [
  {
    path: 'operations/workflows',
    lazy: () => loadPage(async () => (await import('./workflows/workflow-list-page')).WorkflowListPage),
  },
  {
    path: 'operations/workflows/:workflowId',
    lazy: () => loadPage(async () => (await import('./workflow/workflow-page')).WorkflowPage),
  },
  {
    path: 'operations/orders',
    lazy: () => loadPage(async () => (await import('./order-list/orders-page')).OrdersPage),
  },
  {
    path: 'operations/orders/:orderId',
    lazy: () => loadPage(async () => (await import('./orders/order-page')).OrderPage),
  },
];

/** Their entries in the navigation and in the command palette. */
export const operationsNavigation: readonly NavigationEntry[] = [
  ...(mayReader('order.read') ? [{ label: 'Orders', to: '/operations/orders', icon: <InboxIcon /> }] : []),
  ...(mayReader('ops.read') ? [{ label: 'Workflows', to: '/operations/workflows', icon: <FlowIcon /> }] : []),
];

/** Where operators deal with orders that need a person. */
export const attentionPage = '/operations/orders?group=attention';

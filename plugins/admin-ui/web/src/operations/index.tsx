import type { RouteObject } from 'react-router-dom';
import type { NavigationEntry } from '../ui/navigation-entry';
import { FlowIcon, InboxIcon } from '../ui/icons';

/** The operations pages: workflows and orders. Each is loaded when it is first opened. */
export const operationsRoutes: readonly RouteObject[] = [
  {
    path: 'operations/workflows',
    lazy: async () => ({ Component: (await import('./workflows/workflow-list-page')).WorkflowListPage }),
  },
  {
    path: 'operations/workflows/:workflowId',
    lazy: async () => ({ Component: (await import('./workflow/workflow-page')).WorkflowPage }),
  },
  {
    path: 'operations/orders',
    lazy: async () => ({ Component: (await import('./order-list/orders-page')).OrdersPage }),
  },
  {
    path: 'operations/orders/:orderId',
    lazy: async () => ({ Component: (await import('./orders/order-page')).OrderPage }),
  },
];

/** Their entries in the navigation and in the command palette. */
export const operationsNavigation: readonly NavigationEntry[] = [
  { label: 'Orders', to: '/operations/orders', icon: <InboxIcon /> },
  { label: 'Workflows', to: '/operations/workflows', icon: <FlowIcon /> },
];

import type { RouteObject } from 'react-router-dom';
import type { NavigationEntry } from '../shell/navigation-entry';

/**
 * The seam of the operations pages. Each route loads its page when it is first opened:
 * `{ path: 'operations/workflows', lazy: async () => ({ Component: (await import('./workflows-page')).WorkflowsPage }) }`.
 */
export const operationsRoutes: readonly RouteObject[] = [];

/** Their entries in the navigation and in the command palette. */
export const operationsNavigation: readonly NavigationEntry[] = [];

import type { QueryClient } from '@tanstack/react-query';
import {
  createBrowserRouter,
  type DataRouter,
  type RouteObject,
  type ShouldRevalidateFunction,
} from 'react-router-dom';
import { loadPage } from './api/load-page';
import { preferencesQuery } from './api/platform/preferences';
import { metadataQuery, typesQuery } from './api/queries';
import { basePath } from './common/base-path';
import { waitShortly } from './common/wait-shortly';
import { ContentLayout } from './content/content-layout';
import { loadItemPage, loadNewItemPage } from './content/item-pages';
import { loadForm } from './content/form/load-form';
import { kindOf } from './content/kinds/registry';
import { ListPage } from './content/list/list-page';
import { loadList } from './content/list/load-list';
import { documentationRoutes } from './documentation';
import { operationsRoutes } from './operations';
import { NotFoundPage } from './shell/not-found-page';
import { createHost } from './plugin-ui/host/create-host';
import type { PayloadValue } from './plugin-ui/host/values';
import { createUiStore } from './plugin-ui/ui-store';
import { RouteErrorPage } from './shell/route-error-page';
import { Shell } from './shell/shell';
import { HomePage } from './home/home-page';
import { loadHome } from './home/load-home';
import { LoadingState } from './ui/states';

const pluginRoutes: RouteObject[] = [
  {
    path: 'plugins',
    lazy: () => loadPage(async () => (await import('./plugins/plugin-pages')).PluginsPage),
  },
  {
    path: 'plugins/:plugin/settings',
    lazy: () => loadPage(async () => (await import('./plugins/plugin-pages')).SettingsPage),
  },
];

/**
 * Every page of the application. Pages that few visits need are loaded when they are first opened. What a page shows first is
 * fetched by the loader of its route: a page is drawn once, with its data.
 */
export function createRouter(client: QueryClient): DataRouter {
  // Made once: the modules of plugins stay as they are for as long as the tab is open.
  const uis = createUiStore((plugin) =>
    createHost({ plugin, client, navigate: (path) => void router.navigate(path), payloadValue }),
  );
  const router: DataRouter = createBrowserRouter(
    [
      {
        element: <Shell uis={uis} />,
        loader: () => waitShortly(Promise.all([client.query(typesQuery), client.query(preferencesQuery)])),
        shouldRevalidate: () => false,
        hydrateFallbackElement: <LoadingState />,
        children: [
          {
            errorElement: <RouteErrorPage />,
            children: [
              { index: true, element: <HomePage />, loader: () => waitShortly(loadHome(client)) },
              {
                path: 'content/:type',
                element: <ContentLayout />,
                loader: ({ params: { type = '' } }) => waitShortly(client.query(metadataQuery(type))),
                shouldRevalidate: isOther('type'),
                children: [
                  {
                    index: true,
                    element: <ListPage />,
                    loader: ({ params: { type = '' }, request }) =>
                      waitShortly(loadList(client, type, new URL(request.url).search)),
                  },
                  {
                    path: 'new',
                    lazy: () => loadPage(loadNewItemPage),
                    loader: ({ params: { type = '' } }) => waitShortly(loadForm({ client, uis, type })),
                    shouldRevalidate: isOther('type'),
                  },
                  {
                    path: 'import',
                    lazy: () => loadPage(async () => (await import('./content/import/import-page')).ImportPage),
                  },
                  {
                    path: 'deleted',
                    lazy: () => loadPage(async () => (await import('./content/deleted/deleted-page')).DeletedPage),
                  },
                  {
                    path: ':id',
                    lazy: () => loadPage(loadItemPage),
                    loader: ({ params: { type = '', id } }) => waitShortly(loadForm({ client, uis, type, id })),
                    shouldRevalidate: isOther('type', 'id'),
                  },
                  {
                    path: ':id/history',
                    lazy: () => loadPage(async () => (await import('./content/history/history-page')).HistoryPage),
                  },
                ],
              },
              ...pluginRoutes,
              {
                path: 'account',
                lazy: () => loadPage(async () => (await import('./account/own/account-page')).AccountPage),
              },
              {
                path: 'users',
                lazy: () => loadPage(async () => (await import('./account/users/users-page')).UsersPage),
              },
              {
                path: 'audit',
                lazy: () => loadPage(async () => (await import('./audit/audit-page')).AuditPage),
              },
              {
                path: 'webhooks/*',
                lazy: () => loadPage(async () => (await import('./webhooks/webhook-pages')).WebhookPages),
              },
              {
                path: 'roles',
                lazy: () => loadPage(async () => (await import('./account/roles/role-pages')).RolesPage),
              },
              {
                path: 'roles/:name',
                lazy: () => loadPage(async () => (await import('./account/roles/role-pages')).RolePage),
              },
              {
                path: 'x/:plugin/*',
                lazy: () => loadPage(async () => (await import('./plugin-ui/page/plugin-page')).PluginPage),
              },
              ...operationsRoutes,
              ...documentationRoutes,
              { path: '*', element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
    { basename: basePath },
  );
  return withoutLoadingStates(router);
}

/** Data of a page are fetched for another address only if one of these parts of it differs. */
function isOther(...names: readonly string[]): ShouldRevalidateFunction {
  return ({ currentParams, nextParams }) => names.some((name) => currentParams[name] !== nextParams[name]);
}

const payloadValue: PayloadValue = (type, value) => kindOf(type).givenValue(value);

/** Resolves when the loaders of the first page have ended, or should not be waited for any longer. */
export function whenLoaded(router: DataRouter): Promise<void> {
  return waitShortly(
    new Promise<void>((resolve) => {
      if (router.state.initialized) resolve();
      else router.subscribe(({ initialized }) => (initialized ? resolve() : undefined));
    }),
  );
}

/**
 * A navigation that waits for its loaders is a state of the router, too. Nothing shows it, but everything that uses the router
 * would be drawn once more for it: about 5 ms of a list.
 */
function withoutLoadingStates(router: DataRouter): DataRouter {
  const subscribe: DataRouter['subscribe'] = (listener) =>
    router.subscribe((state, options) => (state.navigation.state === 'idle' ? listener(state, options) : undefined));
  return Object.assign(Object.create(router) as DataRouter, { subscribe });
}

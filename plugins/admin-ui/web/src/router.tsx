import type { QueryClient } from '@tanstack/react-query';
import { createBrowserRouter } from 'react-router-dom';
import { preferencesQuery } from './api/preferences';
import { metadataQuery, typesQuery } from './api/queries';
import { basePath } from './common/base-path';
import { waitShortly } from './common/wait-shortly';
import { ContentLayout } from './content/content-layout';
import { ItemPage } from './content/form/item-page';
import { NewItemPage } from './content/form/new-item-page';
import { ListPage } from './content/list/list-page';
import { loadList } from './content/list/load-list';
import { operationsRoutes } from './operations';
import { NotFoundPage } from './shell/not-found-page';
import { RouteErrorPage } from './shell/route-error-page';
import { Shell } from './shell/shell';
import { StartPage } from './start/start-page';
import { LoadingState } from './ui/states';

/**
 * Every page of the application. Pages that few visits need are loaded when they are first opened. What a page shows first is
 * fetched by the loader of its route: a page is drawn once, with its data.
 */
export function createRouter(client: QueryClient) {
  return createBrowserRouter(
    [
      {
        element: <Shell />,
        loader: () => waitShortly(Promise.all([client.query(typesQuery), client.query(preferencesQuery)])),
        shouldRevalidate: () => false,
        hydrateFallbackElement: (
          <div className="opening">
            <LoadingState />
          </div>
        ),
        children: [
          {
            errorElement: <RouteErrorPage />,
            children: [
              { index: true, element: <StartPage /> },
              {
                path: 'content/:type',
                element: <ContentLayout />,
                loader: ({ params: { type = '' } }) => waitShortly(client.query(metadataQuery(type))),
                shouldRevalidate: ({ currentParams, nextParams }) => currentParams['type'] !== nextParams['type'],
                children: [
                  {
                    index: true,
                    element: <ListPage />,
                    loader: ({ params: { type = '' }, request }) =>
                      waitShortly(loadList(client, type, new URL(request.url).search)),
                  },
                  { path: 'new', element: <NewItemPage /> },
                  {
                    path: 'import',
                    lazy: async () => ({ Component: (await import('./content/import/import-page')).ImportPage }),
                  },
                  { path: ':id', element: <ItemPage /> },
                ],
              },
              {
                path: 'plugins',
                lazy: async () => ({ Component: (await import('./plugins/plugins-page')).PluginsPage }),
              },
              {
                path: 'x/:plugin/*',
                lazy: async () => ({ Component: (await import('./plugin-ui/plugin-page')).PluginPage }),
              },
              ...operationsRoutes,
              { path: '*', element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
    { basename: basePath },
  );
}

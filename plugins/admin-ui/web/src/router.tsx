import { createBrowserRouter } from 'react-router-dom';
import { basePath } from './common/base-path';
import { ContentLayout } from './content/content-layout';
import { ItemPage } from './content/form/item-page';
import { NewItemPage } from './content/form/new-item-page';
import { ListPage } from './content/list/list-page';
import { operationsRoutes } from './operations';
import { NotFoundPage } from './shell/not-found-page';
import { RouteErrorPage } from './shell/route-error-page';
import { Shell } from './shell/shell';
import { StartPage } from './start/start-page';
import { LoadingState } from './ui/states';

/** Every page of the application. Pages that few visits need are loaded when they are first opened. */
export function createRouter() {
  return createBrowserRouter(
    [
      {
        element: <Shell />,
        hydrateFallbackElement: <LoadingState />,
        children: [
          {
            errorElement: <RouteErrorPage />,
            children: [
              { index: true, element: <StartPage /> },
              {
                path: 'content/:type',
                element: <ContentLayout />,
                children: [
                  { index: true, element: <ListPage /> },
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

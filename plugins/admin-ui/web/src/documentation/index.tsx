import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type RouteObject } from 'react-router-dom';
import { loadPage } from '../api/load-page';
import type { NavigationEntry } from '../ui/page/navigation-entry';
import { BookIcon } from '../ui/icons';

/** The pages of the documentation, which are loaded when they are first opened. */
export const documentationRoutes: readonly RouteObject[] = ['documentation', 'documentation/:name'].map((path) => ({
  path,
  lazy: () => loadPage(async () => (await import('./documentation-page')).DocumentationPage),
}));

/** Its entry in the navigation and in the command palette. */
export const documentationNavigation: readonly NavigationEntry[] = [
  { label: 'Documentation', to: '/documentation', icon: <BookIcon /> },
];

/** @param name of a file below docs/, such as `getting-started` */
export function DocumentLink({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Anchor component={Link} to={`/documentation/${name}`} underline="always" inherit>
      {children}
    </Anchor>
  );
}

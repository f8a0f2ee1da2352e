import { Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isTyping } from '../keys/is-typing';
import { noteRecentPage } from './recent-pages';

export interface PageHeaderProps {
  readonly title: string;
  /** Title of the browser's tab, if the title alone is the same for several pages. */
  readonly tabTitle?: string;
  /** Above the title: links to what the page belongs to. */
  readonly breadcrumb?: ReactNode;
  /** Beside the title: a total, the badge of a state. */
  readonly status?: ReactNode;
  /** Below the title. */
  readonly description?: ReactNode;
  /** At the right end; the primary one last. */
  readonly actions?: ReactNode;
}

/**
 * The head of a page, which stays in sight: its only first-level heading, which also names the browser's tab and gets the
 * focus after a navigation.
 */
export function PageHeader(props: PageHeaderProps) {
  const { title, tabTitle = title, breadcrumb, status, description, actions } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname, search, key } = useLocation();
  useEffect(() => {
    document.title = `${tabTitle} · Gantry`;
    noteRecentPage({ to: `${pathname}${search}`, title });
  }, [title, tabTitle, pathname, search]);
  useEffect(() => {
    // The first page keeps the focus where the browser puts it, and a field that asked for the focus keeps it.
    if (key !== 'default' && !isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true });
    // Only another page moves the focus, not another filter of the same one.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [pathname]);
  return (
    <>
      <div className="page-head" data-breadcrumb={breadcrumb === undefined ? undefined : true}>
        <div className="page-head-what">
          {breadcrumb === undefined ? null : <div className="breadcrumb">{breadcrumb}</div>}
          <div className="page-head-title">
            <Title order={1} ref={heading} tabIndex={-1} className="page-title quiet-focus">
              {title}
            </Title>
            {status}
          </div>
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </div>
      {description === undefined ? null : (
        <Text c="dimmed" size="sm" component="div" className="page-description">
          {description}
        </Text>
      )}
    </>
  );
}

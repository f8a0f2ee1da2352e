import { Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { isTyping } from './is-typing';
import { noteRecentPage } from './recent-pages';

/** The head of a page: its only first-level heading, which also names the browser's tab and gets the focus after a navigation. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname, search, key } = useLocation();
  useEffect(() => {
    document.title = `${title} · Gantry`;
    noteRecentPage({ to: `${pathname}${search}`, title });
  }, [title, pathname, search]);
  useEffect(() => {
    // The first page keeps the focus where the browser puts it, and a field that asked for the focus keeps it.
    if (key !== 'default' && !isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true });
    // Only another page moves the focus, not another filter of the same one.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [pathname]);
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <div className="page-title">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} className="quiet-focus">
          {title}
        </Title>
        {description === undefined ? null : (
          <Text c="dimmed" size="sm" component="div">
            {description}
          </Text>
        )}
      </div>
      {actions === undefined ? null : (
        <Group gap="xs" className="page-actions">
          {actions}
        </Group>
      )}
    </Group>
  );
}

import { Card, Group, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

export interface HomeCardProps {
  readonly title: string;
  /** At the end of the line of the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function HomeCard({ title, aside, children }: HomeCardProps) {
  const heading = useId();
  return (
    <Card withBorder component="section" aria-labelledby={heading}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4" id={heading} className="page-title">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}

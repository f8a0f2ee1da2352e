import './account.css';
import { Paper, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

/** A page without navigation: one card with one task. */
export function SingleCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Gantry`;
  }, [title]);
  return (
    <main className="single-card">
      <Paper withBorder p="xl" radius="md" className="single-card-paper">
        <div className="single-card-name">Gantry</div>
        <Title order={1} size="h3" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </main>
  );
}

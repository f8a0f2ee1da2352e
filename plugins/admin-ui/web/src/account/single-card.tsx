import './account.css';
import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

/** A page without navigation: one card with one task. */
export function SingleCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Gantry`;
  }, [title]);
  return (
    <main className="single-card">
      <div className="surface single-card-paper">
        <div className="single-card-name">Gantry</div>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </div>
    </main>
  );
}

import './single-card.css';
import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Mark } from '../ui/mark';
import { CraneDrawing } from './sign-in/crane-drawing';

/** A page without navigation: one task, beside a drawing where there is room for it. */
export function SingleCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Gantry`;
  }, [title]);
  return (
    <main className="single-card">
      <div className="single-card-task">
        <div className="single-card-name">
          <Mark />
          Gantry
        </div>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </div>
      <div className="single-card-scene">
        <CraneDrawing />
      </div>
    </main>
  );
}

import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

export interface SurfaceProps {
  /** The heading of the surface, which also names it. */
  readonly title?: string | undefined;
  /** The name of a surface without a heading. */
  readonly label?: string | undefined;
  /** At the end of the line of the heading. */
  readonly aside?: ReactNode;
  /** The content extends to the edges, such as a table. */
  readonly isFlush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A white part of the grey page. Inside, parts are separated by space and headings, never by another box. */
export function Surface({ title, label, aside, isFlush = false, className = '', children }: SurfaceProps) {
  const heading = useId();
  const Element = title === undefined && label === undefined ? 'div' : 'section';
  return (
    <Element
      className={`surface ${isFlush ? '' : 'panel'} ${className}`}
      aria-label={label}
      aria-labelledby={title === undefined ? undefined : heading}
    >
      {title === undefined ? null : (
        <div className="panel-head">
          <Title order={2} id={heading} className="page-title">
            {title}
          </Title>
          {aside}
        </div>
      )}
      {children}
    </Element>
  );
}

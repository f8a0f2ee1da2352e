import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import './link-tabs.css';

export interface LinkTab {
  /** Changes for nothing else of the tab. */
  readonly key: string;
  readonly label: string;
  readonly to: string;
  readonly isOpen: boolean;
  /** Undefined until it is known. */
  readonly count: string | undefined;
  /** The count is of what needs a person. */
  readonly isUrgent?: boolean;
}

/** Parts of a list with their counts. Each is a link, so that the browser can open it in another tab and go back. */
export function LinkTabs({
  label,
  tabs,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly LinkTab[];
  /** Behind the tabs. */
  readonly children?: ReactNode;
}) {
  return (
    <nav aria-label={label} className="link-tabs">
      {tabs.map(({ key, label: text, to, isOpen, count, isUrgent = false }) => (
        <Link key={key} to={to} className="link-tab" aria-current={isOpen ? 'page' : undefined}>
          <bdi className="clipped">{text}</bdi>
          {count === undefined ? null : (
            <span className="link-tab-count" data-urgent={isUrgent || undefined}>
              {count}
            </span>
          )}
        </Link>
      ))}
      {children}
    </nav>
  );
}

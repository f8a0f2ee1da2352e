import type { ReactNode } from 'react';

/** A link to a page, in the navigation and in the command palette. */
export interface NavigationEntry {
  readonly label: string;
  /** Path below the root of the application, for example `/plugins`. */
  readonly to: string;
  readonly icon: ReactNode;
  /** Only its own path counts as this page, not what is below it. */
  readonly alone?: boolean;
  /** Another entry of the same page is above, and is the one that shows whether the page is open. */
  readonly isRepeated?: boolean;
}

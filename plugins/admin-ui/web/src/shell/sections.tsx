import { operationsNavigation } from '../operations';
import { HomeIcon, PlugIcon } from '../ui/icons';
import type { NavigationEntry } from '../ui/navigation-entry';

/** The entries that do not depend on the item types. */
export const sections: readonly NavigationEntry[] = [
  { label: 'Start', to: '/', icon: <HomeIcon /> },
  ...operationsNavigation,
  { label: 'Plugins', to: '/plugins', icon: <PlugIcon /> },
];

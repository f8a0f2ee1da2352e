import type { ReactNode } from 'react';
import {
  CheckIcon,
  ClockIcon,
  FlowIcon,
  HomeIcon,
  ImageIcon,
  InboxIcon,
  InfoIcon,
  LockIcon,
  PlugIcon,
  SearchIcon,
  TableIcon,
  WarningIcon,
} from '../ui/icons';

const icons: Readonly<Record<string, ReactNode>> = {
  check: <CheckIcon />,
  clock: <ClockIcon />,
  flow: <FlowIcon />,
  home: <HomeIcon />,
  image: <ImageIcon />,
  inbox: <InboxIcon />,
  info: <InfoIcon />,
  lock: <LockIcon />,
  plug: <PlugIcon />,
  search: <SearchIcon />,
  table: <TableIcon />,
  warning: <WarningIcon />,
};

/** The icon that a manifest names for a page. */
export function pageIcon(name: string): ReactNode {
  return (Object.hasOwn(icons, name) ? icons[name] : undefined) ?? icons['plug'];
}

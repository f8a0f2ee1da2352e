import { icon } from '../../ui/icons';

export const AdjustIcon = icon(
  <path d="M14 4a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM4 6h8M16 6h4M8 10a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM4 12h2M10 12h10M17 16a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM4 18h11M19 18h1" />,
);
export const SortIcon = icon(<path d="M4 6h9M4 12h7M4 18h7M15 15l3 3 3-3M18 6v12" />);
export const LinkIcon = icon(<path d="M9 15l6-6M11 6l.5-.5a5 5 0 0 1 7 7l-.5.5M13 18l-.4.5a5 5 0 0 1-7.1-7.1l.5-.4" />);

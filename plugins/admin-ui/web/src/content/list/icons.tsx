import { icon } from '../../ui/icons';

export const AdjustIcon = icon(
  <path d="M14 4a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM4 6h8M16 6h4M8 10a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM4 12h2M10 12h10M17 16a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM4 18h11M19 18h1" />,
);
export const SortIcon = icon(<path d="M4 6h9M4 12h7M4 18h7M15 15l3 3 3-3M18 6v12" />);

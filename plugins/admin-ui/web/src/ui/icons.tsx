import type { ReactNode, SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { readonly size?: number };

/** The pages' own icons: strokes on a 24-pixel grid, in the colour of the text. A library of thousands would weigh 88 MB to install. */
export function icon(content: ReactNode) {
  return function Icon(props: IconProps) {
    return <Drawing {...props}>{content}</Drawing>;
  };
}

export const CalendarIcon = icon(<path d="M4 6h16v14H4zM4 10h16M8 3v5M16 3v5" />);

/** The icon that an item type declares, or else a table. */
export function TypeIcon({ path, ...props }: IconProps & { readonly path: string | undefined }) {
  return path === undefined ? (
    <TableIcon {...props} />
  ) : (
    <Drawing {...props}>
      <path d={path} />
    </Drawing>
  );
}

function Drawing({ size = 18, children, ...props }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...props}
    >
      {children}
    </svg>
  );
}

export const HomeIcon = icon(<path d="M4 11l8-7 8 7v9h-6v-6h-4v6H4z" />);
export const BookIcon = icon(
  <path d="M5 4h5a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM19 4h-5a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h5z" />,
);
export const TableIcon = icon(<path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9" />);
export const OpenLockIcon = icon(<path d="M7.5 11V8a4.5 4.5 0 0 1 8.7-1.6M5.5 11h13v9h-13z" />);
export const UsersIcon = icon(
  <path d="M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20a6.5 6.5 0 0 1 13 0M15.5 5.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 6" />,
);
export const KeyIcon = icon(<path d="M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3M13.5 9.5l2 2" />);
export const PlugIcon = icon(<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />);
export const FlowIcon = icon(<path d="M4 4h6v6H4zM14 14h6v6h-6zM7 10v4a3 3 0 0 0 3 3h4" />);
export const SearchIcon = icon(<path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20" />);
export const SunIcon = icon(
  <path d="M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />,
);
export const MoonIcon = icon(<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const EditIcon = icon(<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4" />);
export const TrashIcon = icon(<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5" />);
export const CopyIcon = icon(<path d="M8 8h12v12H8zM4 16V4h12" />);
export const LockIcon = icon(<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />);
export const UpIcon = icon(<path d="M12 19V5M6 11l6-6 6 6" />);
export const ChevronIcon = icon(<path d="M6 9l6 6 6-6" />);
export const DownIcon = icon(<path d="M12 5v14M6 13l6 6 6-6" />);
export const LeftIcon = icon(<path d="M15 5l-7 7 7 7" />);
export const RightIcon = icon(<path d="M9 5l7 7-7 7" />);
export const FirstIcon = icon(<path d="M18 5l-7 7 7 7M6 5v14" />);
export const GripIcon = icon(<path d="M9 6v.2M9 12v.2M9 18v.2M15 6v.2M15 12v.2M15 18v.2" strokeWidth={2.5} />);
export const FilterIcon = icon(<path d="M4 6h16M7 12h10M10 18h4" />);
export const ConditionIcon = icon(<path d="M4 5h16l-6 8v5l-4 2v-7z" />);
export const CloseIcon = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const RefreshIcon = icon(<path d="M19 9a7.5 7.5 0 1 0 .5 5M20 4v5h-5" />);
export const DownloadIcon = icon(<path d="M12 4v11M7 10l5 5 5-5M4 20h16" />);
export const WarningIcon = icon(<path d="M12 4l9 16H3zM12 10v4M12 17v.2" />);
export const InfoIcon = icon(<path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5M12 8v.2" />);
export const CheckIcon = icon(<path d="M5 12.5l4.5 4.5L19 7.5" />);
export const ImageIcon = icon(<path d="M4 5h16v14H4zM4 16l5-5 5 5 2-2 4 4M15.5 9v.2" />);
export const InboxIcon = icon(<path d="M4 13l2-8h12l2 8v6H4zM4 13h5l1 2.5h4L15 13h5" />);
export const ClockIcon = icon(<path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7v5l3 2" />);
export const BookmarkIcon = icon(<path d="M7 4h10v16l-5-4-5 4z" />);
export const ColumnsIcon = icon(<path d="M4 5h16v14H4zM9.5 5v14M14.5 5v14" />);
export const StarIcon = icon(<path d="M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z" />);
export const OutsideIcon = icon(<path d="M14 4h6v6M20 4l-9 9M18 14v6H4V6h6" />);
export const WebhookIcon = icon(
  <path d="M4.9 13.6A4 4 0 1 0 11 17h6M15 20.5a4 4 0 1 0 2-7.5 4 4 0 0 0-2 .5L12 8M16 8a4 4 0 1 0-8 0 4 4 0 0 0 2 3.5L7 17" />,
);
export const UploadIcon = icon(<path d="M12 16V5M7 10l5-5 5 5M5 20h14" />);
export const SettingsIcon = icon(
  <path d="M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM10.3 4.3a1.7 1.7 0 0 1 3.4 0 1.7 1.7 0 0 0 2.6 1.1 1.7 1.7 0 0 1 2.3 2.3 1.7 1.7 0 0 0 1.1 2.6 1.7 1.7 0 0 1 0 3.4 1.7 1.7 0 0 0-1.1 2.6 1.7 1.7 0 0 1-2.3 2.3 1.7 1.7 0 0 0-2.6 1.1 1.7 1.7 0 0 1-3.4 0 1.7 1.7 0 0 0-2.6-1.1 1.7 1.7 0 0 1-2.3-2.3 1.7 1.7 0 0 0-1.1-2.6 1.7 1.7 0 0 1 0-3.4 1.7 1.7 0 0 0 1.1-2.6 1.7 1.7 0 0 1 2.3-2.3 1.7 1.7 0 0 0 2.6-1.1z" />,
);
export const SelectorIcon = icon(<path d="M8 9l4-4 4 4M16 15l-4 4-4-4" />);
export const UndoIcon = icon(<path d="M9 14l-4-4 4-4M5 10h9a5 5 0 0 1 0 10h-3" />);
export const MoreIcon = icon(<path d="M5 12h.2M12 12h.2M19 12h.2" strokeWidth={3} />);
export const LinkIcon = icon(<path d="M9 15l6-6M11 6l.5-.5a5 5 0 0 1 7 7l-.5.5M13 18l-.4.5a5 5 0 0 1-7.1-7.1l.5-.4" />);

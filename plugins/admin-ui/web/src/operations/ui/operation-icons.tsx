import { icon } from '../../ui/icons';

export const RunIcon = icon(<path d="M8 5l11 7-11 7z" />);
export const StopIcon = icon(<path d="M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8" />);
export const SkipIcon = icon(<path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12h8" />);
export const SignalIcon = icon(<path d="M13 3L5 14h6l-1 7 8-11h-6z" />);
export const ResetIcon = icon(<path d="M5 9a7.5 7.5 0 1 1-.5 5M4 5v4.5h4.5" />);
export const ActivityIcon = icon(<path d="M3 12h4l3-7 4 14 3-7h4" />);
export const ChildIcon = icon(<path d="M6 4v9a4 4 0 0 0 4 4h8M14 13l4 4-4 4" />);
export const DotIcon = icon(<path d="M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z" />);
export const ExpandIcon = icon(<path d="M16 4h4v4M14 10l6-6M8 20H4v-4M4 20l6-6" />);

import { icon } from '../../ui/icons';

export const RunIcon = icon(<path d="M8 5l11 7-11 7z" />);
export const FailIcon = icon(<path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9 9l6 6M15 9l-6 6" />);
export const DoneIcon = icon(<path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12.5l3 3 5-6" />);
export const StopIcon = icon(<path d="M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8" />);
export const WaitIcon = icon(<path d="M7 3h10M7 21h10M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4" />);
export const SkipIcon = icon(<path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12h8" />);
export const SignalIcon = icon(<path d="M13 3L5 14h6l-1 7 8-11h-6z" />);
export const ResetIcon = icon(<path d="M5 9a7.5 7.5 0 1 1-.5 5M4 5v4.5h4.5" />);
export const ActivityIcon = icon(<path d="M3 12h4l3-7 4 14 3-7h4" />);
export const ChildIcon = icon(<path d="M6 4v9a4 4 0 0 0 4 4h8M14 13l4 4-4 4" />);
export const ForwardIcon = icon(<path d="M4 6l7 6-7 6zM12 6l7 6-7 6z" />);
export const DotIcon = icon(<path d="M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z" />);

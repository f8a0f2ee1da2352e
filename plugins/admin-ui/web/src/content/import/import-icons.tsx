import { icon } from '../../ui/icons';

export const UploadIcon = icon(<path d="M12 15V4M7 9l5-5 5 5M4 20h16" />);

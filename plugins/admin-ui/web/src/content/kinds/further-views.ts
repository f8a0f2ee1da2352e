/** The views that are not part of the first page's script. */
export { dateView } from './date/view';
export { dateTimeView } from './datetime/view';
export { timeView } from './time/view';

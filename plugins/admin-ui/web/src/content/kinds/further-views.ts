/**
 * The views and controls that are not part of the first page's script. They are one chunk: a form that needs one of them mostly
 * needs several, and to request a chunk costs a page as much as to draw a control.
 */
export { dateView } from './date/view';
export { dateTimeView } from './datetime/view';
export { timeView } from './time/view';
export { ChoiceControl } from './enum/control';
export { linkView } from './link/view';
export { ImageControl } from './image/image-control';
export { JsonControl, LockedJson } from '../json/json-control';
export { fileView } from '../file/view';
export { DocumentControl, LockedDocument } from '../document/document-control';
export { FocalPointControl, LockedFocalPoint } from '../image/focal-point-control';

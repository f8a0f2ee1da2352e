/**
 * The views and controls that are not part of the first page's script. With files of kinds that are named later, they are one chunk: a
 * form that needs one of them mostly needs several, and to request a chunk costs a page as much as to draw a control.
 */
export { laterViewModules } from './later-view-modules';
export { JsonControl, LockedJson } from '../json/json-control';
export { fileView } from '../file/view';
export { DocumentControl, LockedDocument } from '../document/document-control';
export { FocalPointControl, LockedFocalPoint } from '../image/focal-point-control';

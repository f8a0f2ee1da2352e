import type { ControlProps } from '../kinds/field-view';

/** The editor, and the document before the editor is loaded. */
export interface DocumentFrameProps {
  readonly control: ControlProps;
  /** Of the element that is edited. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether somebody wants to edit. */
  readonly isOpen: boolean;
  onOpen(): void;
}

/** Whether what had the focus is gone. */
export function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

import type { DocumentRules, FormField } from '@gantry/contracts';
import type { RefObject } from 'react';
import type { DocumentNode } from '../../api/platform/document';
import type { ControlProps } from '../kinds/field-view';

/** The editor, and the document before the editor is loaded. */
export interface DocumentFrameProps {
  readonly control: ControlProps;
  /** The document of a value; undefined for none. */
  read(value: string): DocumentNode | undefined;
  /** Of the element that is edited. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Where the caret goes when the editor takes the place of the document; undefined until somebody wants to edit. */
  readonly caretRef: RefObject<CaretPlace | undefined>;
  /** Whether the editor is on its way. */
  readonly isOpen: boolean;
  onOpen(): void;
}

/** The start of the document, or what is at a point of the element that is edited, in CSS pixels. */
export type CaretPlace = 'start' | { readonly x: number; readonly y: number };

/** Whether what had the focus, at the place of an element, is gone: a click on it gives the focus to what is around it. */
export function hasNoFocus(element: Element | null): boolean {
  const { activeElement } = document;
  return activeElement === null || (activeElement !== element && activeElement.contains(element));
}

/** Nodes and marks that the document of a field may consist of: those of its kind, or those of Markdown. */
export function rulesOf({ document, format }: FormField): DocumentRules {
  return document ?? (format === 'markdown' ? markdownRules : noRules);
}

const noRules: DocumentRules = { nodes: ['paragraph'], marks: [], headingLevels: [] };

const markdownRules: DocumentRules = {
  nodes: [
    ...['paragraph', 'heading', 'bulletList', 'orderedList'],
    ...['blockquote', 'codeBlock', 'horizontalRule', 'hardBreak'],
  ],
  marks: ['bold', 'italic', 'strike', 'code', 'link'],
  headingLevels: [1, 2, 3],
};

/** Whether the text itself can be edited beside the document that it is. */
export function hasSource({ format }: FormField): boolean {
  return format === 'markdown';
}

/** The controls of the toolbar by their names, in groups; none that the field does not allow. */
export function toolbarGroups({ nodes, marks, headingLevels, links = [] }: DocumentRules): readonly ToolbarGroup[] {
  const has = (name: string): boolean => nodes.includes(name) || marks.includes(name);
  const hasLists = has('bulletList') || has('orderedList');
  const groups: readonly ToolbarGroup[] = [
    [
      ...['bold', 'italic', 'underline', 'strike', 'code', 'link'].filter(has),
      ...(links.length > 0 ? ['itemLink'] : []),
    ],
    has('heading') ? headingLevels.filter((level) => level <= 4).map((level) => `h${level}`) : [],
    [...['bulletList', 'orderedList'].filter(has), ...(hasLists ? ['indent', 'outdent'] : [])],
    ['blockquote', 'codeBlock', 'horizontalRule'].filter(has),
    ['undo', 'redo'],
  ];
  return groups.filter((group) => group.length > 0);
}

export type ToolbarGroup = readonly string[];

import type { DocumentNode } from '../../api/platform/document';

const nodes: ReadonlySet<string> = new Set([
  ...['doc', 'text', 'paragraph', 'heading', 'bulletList', 'orderedList', 'listItem'],
  ...['blockquote', 'codeBlock', 'horizontalRule', 'hardBreak'],
]);
const marks: ReadonlySet<string> = new Set(['bold', 'italic', 'underline', 'strike', 'code', 'link', 'itemLink']);

/** Whether the editor keeps everything in a document: a part that it does not know would be lost. */
export function isEditable(document: DocumentNode | undefined): boolean {
  if (document === undefined) return false;
  if (!nodes.has(document.type) || document.marks?.some(({ type }) => !marks.has(type))) return false;
  return document.content?.every(isEditable) ?? true;
}

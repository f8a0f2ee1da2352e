import { lazyPart } from '../../ui/lazy-part';
import type { CellProps, FieldView, LockedProps } from '../kinds/field-view';
import { lazyControl } from '../kinds/lazy-control';
import { fieldView as textView } from '../kinds/text/view';
import { documentText } from '../../api/platform/document';

/** Of the control of a document, in CSS pixels. */
const documentHeight = 345;

const Control = lazyControl(async () => (await import('../kinds/further-views')).DocumentControl, documentHeight);

/** Structured documents, whose metadata says what they may consist of. */
export const documentView: FieldView = {
  ...textView,
  Control,
  loader: Control.loader,
  Locked: lazyPart<LockedProps>(
    async () => (await import('../kinds/further-views')).LockedDocument,
    () => true,
    ({ value }) => documentText(value),
  ),
  Cell: DocumentCell,
};

const Markdown = lazyControl(async () => (await import('./markdown/markdown-control')).MarkdownControl, documentHeight);

/** Texts in Markdown, which are edited as documents. */
export const markdownView: FieldView = {
  ...textView,
  Control: Markdown,
  loader: Markdown.loader,
  Locked: lazyPart<LockedProps>(
    async () => (await import('./markdown/markdown-control')).LockedMarkdown,
    () => true,
    ({ value }) => (typeof value === 'string' ? value : ''),
  ),
};

/** As much as other cells show of a text. */
const maxCellText = 200;

function DocumentCell({ column, item }: CellProps) {
  const text = documentText(item.values[column.name], maxCellText + 1).replaceAll(/\s+/g, ' ');
  const shown = text.length > maxCellText ? `${text.slice(0, maxCellText)}…` : text;
  return (
    <span dir="auto" title={shown.length > 30 ? shown : undefined}>
      {shown}
    </span>
  );
}

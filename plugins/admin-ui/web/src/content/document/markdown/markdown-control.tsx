import type { ControlProps, LockedProps } from '../../kinds/field-view';
import { LockedText } from '../../kinds/plain-views';
import { DocumentContent } from '../document-content';
import { DocumentControl } from '../document-control';
import { markdownDocument } from './markdown-document';

/** A text in Markdown, edited as the document that it is. */
export function MarkdownControl(props: ControlProps) {
  return <DocumentControl {...props} read={readMarkdown} />;
}

export function LockedMarkdown({ value }: LockedProps) {
  const shown = typeof value === 'string' ? readMarkdown(value) : undefined;
  if (shown === undefined) return <LockedText text="" />;
  return (
    <div className="document">
      <DocumentContent document={shown} hasLinks />
    </div>
  );
}

function readMarkdown(text: string) {
  return text.trim() === '' ? undefined : markdownDocument(text);
}

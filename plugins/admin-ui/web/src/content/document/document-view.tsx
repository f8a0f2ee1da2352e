import { Skeleton } from '@mantine/core';
import { lazyPart } from '../../ui/lazy-part';
import type { CellProps, ControlProps, FieldView, LockedProps } from '../kinds/field-view';
import { textView } from '../kinds/text/view';
import { documentText } from '../../api/document';

const always = (): boolean => true;

const Control = lazyPart<ControlProps>(
  async () => (await import('./document-control')).DocumentControl,
  always,
  () => <Skeleton height={140} />,
);

/** Structured documents, whose metadata says what they may consist of. */
export const documentView: FieldView = {
  ...textView,
  Control,
  prepare: Control.prepare,
  Locked: lazyPart<LockedProps>(
    async () => (await import('./document-control')).LockedDocument,
    always,
    ({ value }) => documentText(value),
  ),
  Cell: DocumentCell,
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

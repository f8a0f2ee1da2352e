import { lazyPart } from '../../ui/lazy-part';
import type { CellProps, FieldView, LockedProps } from '../kinds/field-view';
import { lazyControl } from '../kinds/lazy-control';
import { textView } from '../kinds/text/view';
import { documentText } from '../../api/document';

const Control = lazyControl(async () => (await import('../kinds/further-views')).DocumentControl, 140);

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

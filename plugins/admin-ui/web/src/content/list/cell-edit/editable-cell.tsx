import type { FormField, ItemMetadata } from '@gantry/contracts';
import type { ReactNode } from 'react';
import type { Item } from '../../../api/items';
import { EditIcon } from '../../../ui/icons';
import { lazyPart } from '../../../ui/lazy-part';
import type { CellEditorProps } from './cell-editor';

const CellEditor = lazyPart<CellEditorProps>(
  async () => (await import('./cell-editor')).CellEditor,
  () => true,
);

export interface EditableCellProps {
  readonly metadata: ItemMetadata;
  readonly field: FormField;
  readonly item: Item;
  /** Label of the item. */
  readonly label: string;
  readonly isOpen: boolean;
  onOpen(): void;
  onClose(): void;
  readonly children: ReactNode;
}

/**
 * A cell whose value can be changed in the list. Its button is for the pointer; keys, screen readers and fingers have an entry in
 * the menu of the row, so that a cell is read as its value and a row keeps its few tab stops.
 */
export function EditableCell({ metadata, field, item, label, isOpen, onOpen, onClose, children }: EditableCellProps) {
  const title = `Edit ${field.displayName} of ${label}`;
  return (
    <span className="editable-cell" data-open={isOpen || undefined}>
      {children}
      <button type="button" className="row-action cell-edit" title={title} tabIndex={-1} aria-hidden onClick={onOpen}>
        <EditIcon size={14} />
      </button>
      {isOpen ? <CellEditor metadata={metadata} field={field} item={item} title={title} onClose={onClose} /> : null}
    </span>
  );
}

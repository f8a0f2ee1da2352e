import { Button } from '@mantine/core';
import { may } from '../../../common/may';
import { EditIcon, TrashIcon } from '../../../ui/icons';
import { useMetadata } from '../../content-layout';
import type { BulkAction } from '../bulk/bulk-dialog';
import { ExportMenu } from '../export/export-menu';
import { chosenPages, matchingPages } from '../export/export-pages';
import type { ShownList } from '../use-shown-list';
import type { Selection, SelectionControl } from './use-selection';

export interface SelectionBarProps {
  readonly list: ShownList;
  readonly control: SelectionControl;
  /** Selection in words. */
  readonly text: string;
  /** Whether the list shows what its filters say: where one is not applied, all that match are more than was meant. */
  readonly appliesAll: boolean;
  /** How many match, as people read it; undefined while that is not known. */
  readonly total: string | undefined;
  onAct(action: BulkAction): void;
}

/** Actions on the selected items. They are in the foot of the list, so that no row moves when the first one is ticked. */
export function SelectionBar({ list, control, text, appliesAll, total, onAct }: SelectionBarProps) {
  const metadata = useMetadata();
  return (
    <div className="selection-bar" role="group" aria-label="Selected items">
      <b aria-hidden="true">{text}</b>
      {control.selection.kind === 'matches' || !appliesAll ? null : (
        <Button size="compact-sm" variant="subtle" onClick={control.selectMatches}>
          Select all {total ?? 'that match'}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={control.clear}>
        Clear
      </Button>
      <span className="selection-actions">
        {!may(metadata, 'update') ? null : (
          <Button size="xs" variant="default" leftSection={<EditIcon size={16} />} onClick={() => onAct('set')}>
            Edit …
          </Button>
        )}
        {!may(metadata, 'export') ? null : <SelectionExport list={list} selection={control.selection} />}
        {!may(metadata, 'delete') ? null : (
          <Button
            size="xs"
            variant="default"
            className="quiet-danger"
            leftSection={<TrashIcon size={16} />}
            onClick={() => onAct('delete')}
          >
            Delete …
          </Button>
        )}
      </span>
    </div>
  );
}

function SelectionExport({ list, selection }: { readonly list: ShownList; readonly selection: Selection }) {
  const metadata = useMetadata();
  const pages =
    selection.kind === 'items'
      ? chosenPages(metadata.code, [...selection.items.keys()])
      : matchingPages(metadata.code, list.request, list.request.sort);
  return <ExportMenu size="xs" metadata={metadata} pages={pages} columns={list.columns.map(({ name }) => name)} />;
}

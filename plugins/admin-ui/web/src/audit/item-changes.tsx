import type { ModelInfo } from '@gantry/contracts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ItemChange } from '../api/changes';
import { itemLabel } from '../api/label';
import { metadataQuery, typesQuery } from '../api/queries';
import { sourceText } from '../ui/change-text';
import { DataTable } from '../ui/data-table';
import { Timestamp } from '../ui/timestamp';
import { AuditActor } from './audit-actor';

export interface ItemChangesProps {
  readonly changes: readonly ItemChange[];
  readonly isStale: boolean;
}

/** Changes of items of all types, each leading to the history of its item. */
export function ItemChanges({ changes, isStale }: ItemChangesProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const fieldName = useFieldNames(changes);
  const typeOf = (name: string): ModelInfo | undefined => types.find(({ type }) => type === name);
  const fieldsText = (change: ItemChange): string =>
    change.action === 'updated' ? change.changed.map((name) => fieldName(change.type, name)).join(', ') : '';
  return (
    <DataTable
      label="Item changes"
      className="audit"
      isStale={isStale}
      rows={changes}
      rowKey={({ position, type, id }) => `${position} ${type} ${id}`}
      columns={[
        { title: 'Time', cell: ({ at }) => <Timestamp value={at} /> },
        { title: 'Actor', hint: ({ actor }) => actor, cell: (change) => <AuditActor {...change} /> },
        { title: 'Action', cell: actionText },
        { title: 'Type', cell: ({ type }) => typeOf(type)?.displayName ?? type },
        {
          title: 'Item',
          cell: (change) => (
            <Link to={`/content/${change.type}/${change.id}/history`} className="row-name">
              <bdi>{labelOf(change, typeOf(change.type))}</bdi>
            </Link>
          ),
        },
        { title: 'Fields', hint: fieldsText, cell: fieldsText },
        { title: 'Version', align: 'end', cell: ({ version }) => version },
      ]}
    />
  );
}

/** The display names of the fields that were changed, by the metadata of their types. */
function useFieldNames(changes: readonly ItemChange[]): (type: string, field: string) => string {
  const changed = changes.filter(({ action }) => action === 'updated').map(({ type }) => type);
  const metadata = useQueries({ queries: [...new Set(changed)].map((type) => metadataQuery(type)) });
  return (type, field) => {
    const fields = metadata.find(({ data }) => data?.code === type)?.data?.fields;
    return fields?.find(({ name }) => name === field)?.displayName ?? field;
  };
}

const actionNames = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  left: 'Out of sight',
} as const;

/** The action as a word, and the source of the change where it is not a request. */
function actionText({ action, restoredVersion, source }: ItemChange): string {
  const isReverted = action === 'updated' && restoredVersion !== undefined;
  const name = isReverted ? `Restored version ${restoredVersion}` : actionNames[action];
  return [name, sourceText(source)].filter(Boolean).join(' ');
}

function labelOf({ id, values = {} }: ItemChange, type?: ModelInfo): string {
  return itemLabel({ id, values }, type).slice(0, 80);
}

import type { ModelInfo } from '@gantry/contracts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ItemChange } from '../api/changes';
import { itemLabel } from '../api/label';
import { metadataQuery, typesQuery } from '../api/queries';
import { sourceText } from '../ui/text/change-text';
import { ClockTime } from '../ui/time/clock-time';
import { DataTable } from '../ui/data-table';
import { dayText } from '../ui/text/group-by-day';
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
      className="audit card-rows"
      isStale={isStale}
      rows={changes}
      groupOf={({ at }) => dayText(at)}
      rowKey={({ position, type, id }) => `${position} ${type} ${id}`}
      columns={[
        { title: 'Time', className: 'audit-time', cell: ({ at }) => <ClockTime at={at} /> },
        { title: 'Actor', hint: ({ actor }) => actor, cell: (change) => <AuditActor {...change} /> },
        {
          title: 'Action',
          cell: (change) => (
            <span className="choice-badge" data-color={change.action === 'deleted' ? 'red' : 'gray'}>
              {actionText(change)}
            </span>
          ),
        },
        {
          title: 'Item',
          className: 'audit-item',
          cell: (change) => (
            <>
              <Link to={`/content/${change.type}/${change.id}/history`}>
                <bdi>{labelOf(change, typeOf(change.type))}</bdi>
              </Link>
              <span>{typeOf(change.type)?.displayName ?? change.type}</span>
            </>
          ),
        },
        { title: 'Fields', className: 'audit-detail', hint: fieldsText, cell: fieldsText },
        { title: 'Version', className: 'audit-version', align: 'end', cell: ({ version }) => version },
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
  left: 'No longer visible',
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

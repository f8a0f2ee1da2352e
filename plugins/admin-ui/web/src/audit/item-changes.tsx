import { Anchor } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ItemChange } from '../api/changes';
import { itemLabel } from '../api/label';
import { metadataQuery, typesQuery } from '../api/queries';
import { actorText, sourceText } from '../ui/change-text';
import { Timestamp } from '../ui/timestamp';

export interface ItemChangesProps {
  readonly changes: readonly ItemChange[];
  readonly isStale: boolean;
}

/** Changes of items of all types, each leading to the history of its item. */
export function ItemChanges({ changes, isStale }: ItemChangesProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const fieldName = useFieldNames(changes);
  return (
    <div className="items audit" data-stale={isStale || undefined} role="region" aria-label="Item changes" tabIndex={0}>
      <table aria-busy={isStale}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Actor</th>
            <th scope="col">Action</th>
            <th scope="col">Type</th>
            <th scope="col">Item</th>
            <th scope="col">Fields</th>
            <th scope="col" className="number">
              Version
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <Row
              key={`${change.position} ${change.type} ${change.id}`}
              change={change}
              types={types}
              fieldName={fieldName}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The display names of the fields that were changed, by the metadata of their types. */
function useFieldNames(changes: readonly ItemChange[]): FieldName {
  const changed = changes.filter(({ action }) => action === 'updated').map(({ type }) => type);
  const metadata = useQueries({ queries: [...new Set(changed)].map((type) => metadataQuery(type)) });
  return (type, field) => {
    const fields = metadata.find(({ data }) => data?.code === type)?.data?.fields;
    return fields?.find(({ name }) => name === field)?.displayName ?? field;
  };
}

type FieldName = (type: string, field: string) => string;

interface RowProps {
  readonly change: ItemChange;
  readonly types: readonly ModelInfo[];
  readonly fieldName: FieldName;
}

function Row({ change, types, fieldName }: RowProps) {
  const { type, id, at, version, source } = change;
  const way = sourceText(source);
  const known = types.find((one) => one.type === type);
  const fields = change.action === 'updated' ? change.changed.map((name) => fieldName(type, name)).join(', ') : '';
  return (
    <tr>
      <td>
        <Timestamp value={at} />
      </td>
      <td title={change.actor}>
        <bdi>{actorText(change)}</bdi>
      </td>
      <td>
        {actionName(change)}
        {way === undefined ? '' : ` ${way}`}
      </td>
      <td>{known?.displayName ?? type}</td>
      <td>
        <Anchor component={Link} to={`/content/${type}/${id}/history`} inherit>
          <bdi>{labelOf(change, known)}</bdi>
        </Anchor>
      </td>
      <td title={fields}>{fields}</td>
      <td className="number">{version}</td>
    </tr>
  );
}

const actionNames = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  left: 'Out of sight',
} as const;

/** What happened, as a word. */
function actionName({ action, restoredVersion }: ItemChange): string {
  const isReverted = action === 'updated' && restoredVersion !== undefined;
  return isReverted ? `Restored version ${restoredVersion}` : actionNames[action];
}

function labelOf({ id, values = {} }: ItemChange, type?: ModelInfo): string {
  return itemLabel({ id, values }, type).slice(0, 80);
}

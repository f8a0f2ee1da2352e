import { Anchor } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ItemChange } from '../api/changes';
import { itemLabel } from '../api/label';
import { typesQuery } from '../api/queries';
import { actorText, sourceText } from '../ui/change-text';
import { Timestamp } from '../ui/timestamp';

export interface ItemChangesProps {
  readonly changes: readonly ItemChange[];
  readonly isStale: boolean;
}

/** Changes of items of all types, each leading to the history of its item. */
export function ItemChanges({ changes, isStale }: ItemChangesProps) {
  const { data: types = [] } = useQuery(typesQuery);
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
            <Row key={`${change.position} ${change.type} ${change.id}`} change={change} types={types} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ change, types }: { readonly change: ItemChange; readonly types: readonly ModelInfo[] }) {
  const { type, id, at, version, source } = change;
  const way = sourceText(source);
  const known = types.find((one) => one.type === type);
  const fields = change.action === 'updated' ? change.changed.join(', ') : '';
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

import './live.css';
import { Button } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListRequest } from '../../api/items';
import { useForeignChanges } from '../../api/live/live-changes';
import { listQuery } from '../../api/queries';

export interface ChangedCountProps {
  readonly metadata: ItemMetadata;
  /** Of the list that is shown. */
  readonly request: ListRequest;
}

/** Says that somebody has changed items since the list was read. Its rows stay until it is read again. */
export function ChangedCount(props: ChangedCountProps) {
  const client = useQueryClient();
  const text = useChangedText(props);
  const { code } = props.metadata;
  return (
    <>
      <span role="status" className="changed-count">
        {text === undefined ? null : `${text} since this list was read`}
      </span>
      {text === undefined ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => void client.refetchQueries({ queryKey: ['items', code, 'list'], type: 'active' })}
        >
          Refresh
        </Button>
      )}
    </>
  );
}

function useChangedText({ metadata, request }: ChangedCountProps): string | undefined {
  // Only looks at what the list asks for.
  const { dataUpdatedAt } = useQuery({ ...listQuery(metadata.code, request), enabled: false });
  const { size } = useForeignChanges(metadata.code, dataUpdatedAt);
  if (size === 0 || dataUpdatedAt === 0) return undefined;
  return size === 1
    ? `1 ${metadata.displayName} changed`
    : `${size.toLocaleString()} ${metadata.displayNamePlural} changed`;
}

import './live.css';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListRequest } from '../../api/items';
import { useForeignChanges } from '../../api/live/live-changes';
import { listQuery } from '../../api/queries';
import { RefreshIcon } from '../../ui/icons';
import { IconButton } from '../../ui/link-button';

export interface ChangedCountProps {
  readonly metadata: ItemMetadata;
  /** Of the list that is shown. */
  readonly request: ListRequest;
}

/** Reads the list again; marked when somebody has changed items since it was read; the words are below the list. */
export function RefreshButton(props: ChangedCountProps) {
  const client = useQueryClient();
  const text = useChangedText(props);
  const { code } = props.metadata;
  return (
    <span className="refresh" data-changed={text !== undefined || undefined}>
      <IconButton
        label="Refresh"
        size="lg"
        variant="default"
        onClick={() => void client.refetchQueries({ queryKey: ['items', code, 'list'], type: 'active' })}
      >
        <RefreshIcon />
      </IconButton>
    </span>
  );
}

/** Says that somebody has changed items since the list was read. Its rows stay until it is read again. */
export function ChangedCount(props: ChangedCountProps) {
  const text = useChangedText(props);
  return (
    <span role="status" className="changed-count">
      {text === undefined ? null : `${text} since this list was read`}
    </span>
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

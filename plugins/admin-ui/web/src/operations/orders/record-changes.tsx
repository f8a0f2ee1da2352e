import { Button, Text } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchHistory, type ItemChange } from '../../api/changes';
import type { Item } from '../../api/items';
import { shortText } from '../../api/label';
import { metadataQuery, typesQuery } from '../../api/queries';
import { actorText } from '../../ui/text/change-text';
import { LoadingState } from '../../ui/states';
import { Timestamp } from '../../ui/time/timestamp';
import { operationsKey } from '../api/queries';
import { OperationsProblem } from '../ui/operations-problem';
import { sentenceCase } from '../ui/sentence-case';
import { Surface } from '../../ui/surface';

export interface RecordChangesProps {
  /** The records of the services about an order, by type. */
  readonly rows: Readonly<Record<string, readonly Item[]>> | undefined;
}

/** How the records of an order changed, from their histories; read on request. */
export function RecordChanges({ rows = {} }: RecordChangesProps) {
  const [isOpen, setOpen] = useState(false);
  const records = Object.entries(rows).flatMap(([type, items]) => items.map(({ id }) => ({ type, id })));
  if (records.length === 0) return null;
  return (
    <Surface
      title="Changes of the records"
      aside={
        isOpen ? null : (
          <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
            Show changes
          </Button>
        )
      }
    >
      {isOpen ? <Changes records={records.slice(0, maxRecords)} /> : null}
    </Surface>
  );
}

/** Each is a request. */
const maxRecords = 20;

interface ChangesProps {
  readonly records: readonly { readonly type: string; readonly id: string }[];
}

function Changes({ records }: ChangesProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const fieldName = useFieldNames([...new Set(records.map(({ type }) => type))]);
  const found = useQuery({
    queryKey: [...operationsKey, 'record-changes', records],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(records.map(({ type, id }) => fetchHistory(type, id, undefined, signal)));
      return pages
        .flatMap(({ changes }) => changes)
        .toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at));
    },
  });
  if (found.error !== null) {
    return (
      <OperationsProblem
        error={found.error}
        title="The changes could not be loaded"
        onRetry={() => void found.refetch()}
      />
    );
  }
  if (found.data === undefined) return <LoadingState rows={3} />;
  return (
    <ul className="value-list order-records" aria-label="Changes of the records">
      {found.data.map((change) => (
        <li key={`${change.type} ${change.position}`}>
          <Text size="sm" className="long-text">
            {nameOf(change, types)} {textOf(change, fieldName)}
          </Text>
          <Text size="xs" c="dimmed">
            <Timestamp value={change.at} /> · {actorText(change)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

function nameOf({ type }: ItemChange, types: readonly ModelInfo[]): string {
  return types.find((known) => known.type === type)?.displayName ?? type;
}

/** Names of the fields of types. */
function useFieldNames(types: readonly string[]): (type: string, name: string) => string {
  const found = useQueries({ queries: types.map((type) => metadataQuery(type)) });
  return (type, name) =>
    found[types.indexOf(type)]?.data?.fields.find((field) => field.name === name)?.displayName ?? name;
}

function textOf(
  { type, action, changed, previous = {}, values = {} }: ItemChange,
  fieldName: (type: string, name: string) => string,
): string {
  if (action !== 'updated') return action;
  const fields = changed.map(
    (name) => `${fieldName(type, name)}: ${valueText(previous[name])} → ${valueText(values[name])}`,
  );
  return fields.length === 0 ? 'changed' : fields.join(', ');
}

/** Statuses as elsewhere on the page; times and longer texts as they are. */
function valueText(value: unknown): string {
  const text = shortText(value).slice(0, 100);
  if (text === '') return '–';
  return /^[A-Z][A-Z_]+$/.test(text) ? sentenceCase(text) : text;
}

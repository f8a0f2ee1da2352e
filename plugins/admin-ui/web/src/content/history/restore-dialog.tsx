import './history.css';
import { Alert, Button, Checkbox, Group, Loader, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ItemMetadata, RestoreCheck } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { restoreCheckQuery, restoreItem, type RestoreOrder } from '../../api/changes';
import type { Item } from '../../api/items';
import { itemQuery } from '../../api/queries';
import { WarningIcon } from '../../ui/icons';
import { Dialog } from '../../ui/dialog';
import { ErrorState } from '../../ui/states';
import { DifferenceList, fieldLabel, ValueList } from './difference-list';

/** The version to restore, and its name. */
export interface Restorable extends Omit<RestoreOrder, 'type' | 'without'> {
  readonly label: string;
}

export interface RestoreDialogProps {
  readonly metadata: ItemMetadata;
  /** The version that the dialog asks about; closed without. */
  readonly subject: Restorable | undefined;
  onClose(): void;
  onRestored(item: Item): void;
}

/** Shows what a restore would change and what it cannot, before anything is written. */
export function RestoreDialog({ subject, onClose, ...props }: RestoreDialogProps) {
  const [busy, setBusy] = useState(false);
  // While the dialog fades away, it still says what it was about.
  const [shown, setShown] = useState(subject);
  if (subject !== undefined && subject !== shown) setShown(subject);
  const what = shown?.version === undefined ? props.metadata.displayName : `version ${shown.version}`;
  return (
    <Dialog
      opened={subject !== undefined}
      onClose={onClose}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      withCloseButton={!busy}
      size="xl"
      title={`Restore ${what}?`}
    >
      {shown === undefined ? null : (
        <Question key={`${shown.id} ${shown.version}`} {...props} subject={shown} onClose={onClose} onBusy={setBusy} />
      )}
    </Dialog>
  );
}

interface QuestionProps extends RestoreDialogProps {
  readonly subject: Restorable;
  onBusy(busy: boolean): void;
}

function Question({ metadata, subject, onClose, onRestored, onBusy }: QuestionProps) {
  const { label, ...target } = subject;
  const [without, setWithout] = useState<readonly string[]>([]);
  const order: RestoreOrder = { ...target, type: metadata.code, without };
  const check = useCheck(order);
  const restore = useRestore(metadata, label, onRestored);
  const { isPending } = restore;
  useEffect(() => onBusy(isPending), [onBusy, isPending]);
  const { found } = check;
  const isPossible = found?.problems.length === 0 && !check.isStale;
  const isNeedless = isPossible && !found.isDeleted && found.changes.length === 0;
  return (
    <Stack gap="md">
      <Text size="sm" className="long-text">
        <b dir="auto">{label.slice(0, 200)}</b> (id {subject.id})
        {found?.isDeleted === true ? ' will exist again with the same id.' : ''}
        {isNeedless ? ' has these values already.' : ''}
      </Text>
      {check.error === null ? null : (
        <ErrorState error={check.error} title="The restore could not be checked" onRetry={check.retry} />
      )}
      {found === undefined && check.error === null ? <Loader size="sm" aria-label="Checking" role="status" /> : null}
      {found === undefined ? null : (
        <>
          <Problems metadata={metadata} check={found} without={without} onWithout={setWithout} />
          <Changes metadata={metadata} check={found} />
        </>
      )}
      {restore.error === null ? null : <ErrorState error={restore.error} title={refusalTitle(restore.error)} once />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
          Cancel
        </Button>
        <Button
          loading={isPending}
          disabled={!isPossible || isNeedless || restore.error !== null}
          onClick={() => restore.mutate(order)}
        >
          Restore
        </Button>
      </Group>
    </Stack>
  );
}

/** The values that a restore would write. */
function Changes({ metadata, check: { isDeleted, changes } }: Pick<ProblemsProps, 'metadata' | 'check'>) {
  if (changes.length === 0) return null;
  const title = isDeleted ? 'Values' : changes.length === 1 ? '1 field changes' : `${changes.length} fields change`;
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <div className="restore-changes" role="region" aria-label={title} tabIndex={0}>
        {isDeleted ? (
          <ValueList
            metadata={metadata}
            values={Object.fromEntries(changes.map(({ field, after }) => [field, after]))}
          />
        ) : (
          <DifferenceList metadata={metadata} differences={changes} />
        )}
      </div>
    </div>
  );
}

/** The check of an order; while one with other fields left out is under way, the one before stays in sight. */
function useCheck(order: RestoreOrder) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...restoreCheckQuery(order),
    placeholderData: (previous: RestoreCheck | undefined) => previous,
  });
  return { found: data, error, isStale: isPlaceholderData, retry: () => void refetch() };
}

function useRestore(metadata: ItemMetadata, label: string, onRestored: (item: Item) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (order: RestoreOrder) => restoreItem(order),
    onSuccess: async (item, { version }) => {
      const what = version === undefined ? '' : `version ${version} of `;
      const message = `Restored ${what}${metadata.displayName} ${label.slice(0, 80)}`;
      notifications.show({ message, color: 'green' });
      client.setQueryData(itemQuery(metadata.code, item.id).queryKey, item);
      onRestored(item);
      await client.invalidateQueries({ queryKey: ['items'] });
    },
  });
}

interface ProblemsProps {
  readonly metadata: ItemMetadata;
  readonly check: RestoreCheck;
  readonly without: readonly string[];
  onWithout(fields: readonly string[]): void;
}

/** Fields that cannot be restored; each can be left out. */
function Problems({ metadata, check, without, onWithout }: ProblemsProps) {
  const isField = (name: string): boolean => metadata.fields.some((field) => field.name === name);
  const found = check.problems.map(({ path, message }) => ({ field: fieldName(path), message }));
  const fields = [...new Set([...without, ...found.map(({ field }) => field).filter(isField)])];
  const others = found.filter(({ field }) => !isField(field));
  if (fields.length + others.length === 0) return null;
  const kept = check.isDeleted ? 'it gets its default' : 'it keeps its value';
  return (
    <Alert
      color="yellow"
      icon={<WarningIcon />}
      title={found.length > 0 ? 'Not everything can be restored' : 'Not everything is restored'}
    >
      <Stack gap="xs">
        {others.map(({ field, message }) => (
          <span key={`${field} ${message}`}>{message}</span>
        ))}
        {fields.map((field) => (
          <Checkbox
            key={field}
            label={`Leave out ${fieldLabel(metadata, field)}: ${kept}`}
            description={found
              .filter((problem) => problem.field === field)
              .map(({ message }) => message)
              .join(' ')}
            checked={without.includes(field)}
            onChange={({ currentTarget: { checked } }) =>
              onWithout(checked ? [...without, field] : without.filter((name) => name !== field))
            }
          />
        ))}
      </Stack>
    </Alert>
  );
}

/** A path may lead into a value, such as to one of several references. */
function fieldName(path: string): string {
  return path.split(/[.[]/)[0] ?? path;
}

function refusalTitle(error: unknown): string {
  const isChanged = error instanceof ApiError && error.status === 412;
  return isChanged
    ? 'The item has changed meanwhile. Close this dialog and look at its newest version.'
    : 'Not restored';
}

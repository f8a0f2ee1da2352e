import { Anchor, Button, Group, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ErrorDetail, ItemMetadata } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError, isItemGone } from '../api/api-error';
import { deleteItem, type Item } from '../api/items';
import { metadataQuery, typesQuery } from '../api/queries';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/states';
import { itemLabel } from '../api/label';

export interface DeleteDialogProps {
  readonly metadata: ItemMetadata;
  /** The item that the dialog asks about; closed without one. */
  readonly item: Item | undefined;
  onClose(): void;
  onDeleted(): void;
}

/** Asks before an item is deleted, and shows what still refers to it when the platform refuses. */
export function DeleteDialog({ metadata, item, onClose, onDeleted }: DeleteDialogProps) {
  const client = useQueryClient();
  const [gone, setGone] = useState(false);
  if (gone && item !== undefined) setGone(false);
  const removal = useMutation({
    mutationFn: (doomed: Item) => deleteUnlessGone(metadata.code, doomed),
    onSuccess: (result, doomed) => {
      const name = `${metadata.displayName} ${itemLabel(doomed).slice(0, 80)}`;
      notifications.show({
        message: result === 'deleted' ? `Deleted ${name}` : `${name} was already deleted`,
        color: 'green',
      });
      void client.invalidateQueries({ queryKey: ['items', metadata.code, 'list'] });
      void client.invalidateQueries({ queryKey: ['items', metadata.code, 'total'] });
      setGone(true);
      onDeleted();
    },
  });
  const { reset } = removal;
  useEffect(() => reset(), [item, reset]);
  // The button that was pressed waited for the answer, and so lost the focus.
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => (removal.isError ? cancel.current?.focus() : undefined), [removal.isError, removal.submittedAt]);
  // While the dialog fades away, it still says what it was about.
  const [shown, setShown] = useState(item);
  if (item !== undefined && item !== shown) setShown(item);
  // A requested deletion cannot be cancelled, and its result is shown here.
  const busy = removal.isPending;
  return (
    <Dialog
      opened={item !== undefined}
      onClose={onClose}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      withCloseButton={!busy}
      title={`Delete ${metadata.displayName}?`}
      // The button that opened it goes with its item.
      returnFocus={!gone}
    >
      <Text className="long-text">
        <b dir="auto">{shown === undefined ? '' : itemLabel(shown).slice(0, 200)}</b> (id {shown?.id}) will be
        permanently deleted.
      </Text>
      {removal.error === null ? null : <Refusal error={removal.error} id={shown?.id ?? ''} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus ref={cancel}>
          Cancel
        </Button>
        <Button
          color="red.9"
          loading={busy}
          disabled={isRefused(removal.error)}
          onClick={() => (item === undefined ? undefined : removal.mutate(item))}
        >
          Delete
        </Button>
      </Group>
    </Dialog>
  );
}

async function deleteUnlessGone(type: string, item: Item): Promise<'deleted' | 'gone'> {
  try {
    await deleteItem(type, item);
    return 'deleted';
  } catch (error) {
    if (isItemGone(error)) return 'gone';
    throw error;
  }
}

/** The same request would be refused again: the item is referenced, or has changed. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 412);
}

function Refusal({ error, id }: { readonly error: unknown; readonly id: string }) {
  const referrers = error instanceof ApiError && error.code === 'ITEM_REFERENCED' ? error.details : [];
  const stale = error instanceof ApiError && error.status === 412;
  if (stale) {
    return (
      <ErrorState
        error={new Error('It was changed after this page was loaded. Refresh the page to see the changes.')}
        title="The item has changed"
      />
    );
  }
  if (referrers.length === 0) return <ErrorState error={error} title="Not deleted" once />;
  return (
    <>
      <ErrorState error={new Error('It can be deleted when these no longer do.')} title="Other items refer to it" />
      <List size="sm">
        {referrers.map((detail) => (
          <Referrer key={detail.path} detail={detail} id={id} />
        ))}
      </List>
    </>
  );
}

/** `path` is the type and field that refer to the item of that id, as in `product.catalog`. */
function Referrer({ detail, id: target }: { readonly detail: ErrorDetail; readonly id: string }) {
  const [code = '', field = ''] = detail.path.split('.');
  const { data: types = [] } = useQuery(typesQuery);
  const { data: metadata } = useQuery(metadataQuery(code));
  const name = types.find(({ type }) => type === code)?.displayName ?? code;
  const canBeFound = metadata?.searchable.some((searchable) => searchable.name === field) === true;
  const filter = canBeFound ? `?f=${field}.EQUALS.${target}` : '';
  return (
    <List.Item>
      <Anchor component={Link} to={`/content/${code}${filter}`} underline="always" inherit>
        {name}
      </Anchor>{' '}
      (field {field}): {detail.message}
      {detail.items?.map(({ id, label }) => (
        <Fragment key={id}>
          {' · '}
          <Anchor component={Link} to={`/content/${code}/${id}`} underline="always" inherit>
            <bdi>{label.slice(0, 80)}</bdi>
          </Anchor>
        </Fragment>
      ))}
    </List.Item>
  );
}

import { nameInSentence } from './name-in-sentence';
import { Anchor, Button, Group, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DeletionPlan, ErrorDetail, ItemMetadata, ItemReferences } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError, isItemGone } from '../api/api-error';
import { deleteItem, fetchReferences, type Item } from '../api/items';
import { numberText } from '../api/json';
import { metadataQuery, typesQuery } from '../api/queries';
import { cappedCount } from '../ui/text/capped-count';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/states';
import { useLongerThan } from '../ui/time/use-longer-than';
import { itemName } from '../api/label';
import { effectText } from './deletion-text';
import { notifyDeleted } from './undo/undo-deletion';

export interface DeleteDialogProps {
  readonly metadata: ItemMetadata;
  /** The item that the dialog asks about; closed without one. */
  readonly item: Item | undefined;
  onClose(): void;
  onDeleted(): void;
}

/** Asks before an item is deleted, and shows what refers to it: then it cannot be deleted. */
export function DeleteDialog({ metadata, item, onClose, onDeleted }: DeleteDialogProps) {
  const client = useQueryClient();
  const [gone, setGone] = useState(false);
  if (gone && item !== undefined) setGone(false);
  const removal = useMutation({
    mutationFn: ({ doomed, confirm }: Removal) => deleteUnlessGone(metadata.code, doomed, confirm),
    onSuccess: (result, { doomed, confirm }) => {
      const name = `${metadata.displayName} ${itemName(doomed, metadata).slice(0, 80)}`;
      if (result === 'deleted') notifyDeleted(client, metadata, doomed);
      else notifications.show({ message: `${name} was already deleted`, color: 'green' });
      forget(client, metadata.code, doomed.id, confirm !== undefined);
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
  const references = useReferences(metadata, item);
  // Effects on other items are known, and are confirmed before these change.
  const found = references.found ?? [];
  const isOpen = found.some(({ onDelete }) => onDelete !== undefined);
  const referrers = isOpen ? [] : found.map(toReferrer);
  const deletion = removal.error instanceof ApiError ? removal.error.deletion : undefined;
  // A requested deletion cannot be cancelled, and its result is shown here.
  const busy = removal.isPending;
  const isBlocked = isRefused(removal.error) || referrers.length > 0;
  const label = shown === undefined ? '' : itemName(shown, metadata).slice(0, 80);
  return (
    <Dialog
      opened={item !== undefined}
      onClose={onClose}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      withCloseButton={!busy}
      title={`Delete ${nameInSentence(metadata.displayName)} ${label}?`}
      // The button that opened it goes with its item.
      returnFocus={!gone}
    >
      {isBlocked ? null : (
        <Text className="long-text">
          <b dir="auto">{label}</b> (id {shown?.id}) will be deleted. It can be restored from the deleted items.
        </Text>
      )}
      <Findings error={removal.error} referrers={referrers} id={shown?.id ?? ''} />
      {references.isAwaited ? (
        <Text size="sm" c="dimmed" role="status" mt="xs">
          Looking for items that refer to it …
        </Text>
      ) : null}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus ref={cancel}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={busy}
          disabled={isBlocked || references.isAwaited}
          onClick={() =>
            item === undefined ? undefined : removal.mutate({ doomed: item, confirm: deletion?.confirm })
          }
        >
          {deletion === undefined ? 'Delete' : 'Delete with these'}
        </Button>
      </Group>
    </Dialog>
  );
}

/** Effects of the deletion, or the reason for which it is refused. */
function Findings({
  error,
  referrers,
  id,
}: {
  readonly error: unknown;
  readonly referrers: readonly ItemReferrer[];
  readonly id: string;
}) {
  if (error instanceof ApiError && error.deletion !== undefined) return <DeletionEffects deletion={error.deletion} />;
  if (error !== null) return <Refusal error={error} id={id} />;
  return referrers.length === 0 ? null : <Referrers referrers={referrers} id={id} />;
}

interface Removal {
  readonly doomed: Item;
  readonly confirm: string | undefined;
}

/** Ends all requests about the item, whose page is still open at this moment. @param more other items went or changed with it */
function forget(client: QueryClient, type: string, id: string, more: boolean): void {
  const isOfItem = ({ queryKey }: { readonly queryKey: QueryKey }): boolean =>
    queryKey[1] === type && queryKey[3] === id;
  const changed = ['list', 'total', 'deleted', 'history'];
  void client.cancelQueries({ predicate: isOfItem });
  void client.invalidateQueries({ predicate: isOfItem, refetchType: 'none' });
  void client.invalidateQueries({
    queryKey: more ? ['items'] : ['items', type],
    predicate: (query) => !isOfItem(query) && (more || changed.includes(String(query.queryKey[2]))),
  });
}

async function deleteUnlessGone(type: string, item: Item, confirm?: string): Promise<'deleted' | 'gone'> {
  try {
    await deleteItem(type, item, confirm);
    return 'deleted';
  } catch (error) {
    if (isItemGone(error)) return 'gone';
    throw error;
  }
}

/** The same request would be refused again: the item is referenced, or has changed. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.deletion !== undefined) return false;
  return error.status === 409 || error.status === 412;
}

/** Items that are deleted or changed with the item, to be confirmed. */
function DeletionEffects({ deletion }: { readonly deletion: DeletionPlan }) {
  return (
    <div role="alert">
      <Text mt="sm">Other items refer to it. If it is deleted,</Text>
      <List size="sm">
        {deletion.effects.map((effect) => (
          <List.Item key={`${effect.type}.${effect.action}`}>
            <b>{effectText(effect)}</b>
            <ItemLinks type={effect.type} items={effect.items} count={numberText(effect.count) ?? ''} />
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function Refusal({ error, id }: { readonly error: unknown; readonly id: string }) {
  const referrers =
    error instanceof ApiError && error.code === 'ITEM_REFERENCED' ? error.details.map(toRefusedReferrer) : [];
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
  return <Referrers referrers={referrers} id={id} />;
}

/** The platform refuses to delete what is referred to; without an answer for so long, it is left to that. */
const maxWaitMs = 3_000;

/** References to the item that is to be deleted, read again for each question. */
function useReferences(metadata: ItemMetadata, item: Item | undefined) {
  const { data, isFetching } = useQuery({
    queryKey: ['items', metadata.code, 'references', item?.id],
    queryFn: ({ signal }) => fetchReferences(metadata.code, item?.id ?? '', signal),
    enabled: item !== undefined,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: false,
  });
  const isPending = item !== undefined && data === undefined && isFetching;
  const isLong = useLongerThan(maxWaitMs, isPending);
  return { found: item === undefined ? undefined : data, isAwaited: isPending && !isLong };
}

/** The items of a type that refer to an item through one field. */
interface ItemReferrer {
  readonly type: string;
  readonly field: string;
  readonly fieldName: string;
  /** How many items; as text, since it may be capped. */
  readonly count: string;
  readonly items: readonly { readonly id: string; readonly label: string }[];
}

function toReferrer({ type, field, fieldDisplayName, count, isCapped, items }: ItemReferences): ItemReferrer {
  const number = Number(numberText(count) ?? 0);
  return { type, field, fieldName: fieldDisplayName, count: cappedCount(number, isCapped), items };
}

/** `path` is the type and field that refer to the item, as in `product.catalog`. */
function toRefusedReferrer({ path, message, items = [] }: ErrorDetail): ItemReferrer {
  const [type = '', field = ''] = path.split('.');
  return { type, field, fieldName: field, count: /^[\d,.]+\+?/.exec(message)?.[0] ?? '', items };
}

function Referrers({ referrers, id }: { readonly referrers: readonly ItemReferrer[]; readonly id: string }) {
  return (
    <>
      <ErrorState
        error={new Error('It cannot be deleted. Remove these references first.')}
        title="Other items refer to it"
      />
      <List size="sm">
        {referrers.map((referrer) => (
          <Referrer key={`${referrer.type}.${referrer.field}`} referrer={referrer} id={id} />
        ))}
      </List>
    </>
  );
}

function Referrer({ referrer, id: target }: { readonly referrer: ItemReferrer; readonly id: string }) {
  const { type, field, fieldName, count, items } = referrer;
  const { data: types = [] } = useQuery(typesQuery);
  const { data: metadata } = useQuery(metadataQuery(type));
  const known = types.find((candidate) => candidate.type === type);
  const name = known === undefined ? type : nameInSentence(count === '1' ? known.displayName : known.displayNamePlural);
  const canBeFound = metadata?.searchable.some((searchable) => searchable.name === field) === true;
  const filter = canBeFound ? `?f=${field}.EQUALS.${target}` : '';
  return (
    <List.Item>
      <Anchor component={Link} to={`/content/${type}${filter}`} underline="always" inherit>
        {count} {name}
      </Anchor>
      {fieldName === '' ? '' : ` in ${count === '1' ? 'its' : 'their'} field ${fieldName}`}
      <ItemLinks type={type} items={items} count={count} />
    </List.Item>
  );
}

/** `: P-1001, P-1002 and 56 more`, each with a link. */
function ItemLinks({ type, items, count }: Pick<ItemReferrer, 'type' | 'items' | 'count'>) {
  const more = moreText(count, items.length);
  return items.map(({ id, label }, index) => (
    <Fragment key={id}>
      {index === 0 ? ': ' : more === undefined && index === items.length - 1 ? ' and ' : ', '}
      <Anchor component={Link} to={`/content/${type}/${id}`} underline="always" inherit className="no-wrap">
        <bdi>{label.slice(0, 80)}</bdi>
      </Anchor>
      {index === items.length - 1 && more !== undefined ? ` and ${more}` : ''}
    </Fragment>
  ));
}

/** How many there are besides those that are named; undefined for none. A count such as `1,000+` says only that there are more. */
function moreText(count: string, named: number): string | undefined {
  const number = Number(count.replaceAll(/[^\d]/g, ''));
  if (/\D$/.test(count)) return 'more';
  return number > named ? `${(number - named).toLocaleString()} more` : undefined;
}

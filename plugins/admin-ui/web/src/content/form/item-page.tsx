import { Button, Stack, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { ApiError } from '../../api/api-error';
import type { Item } from '../../api/items';
import { numberText } from '../../api/json';
import { itemQuery } from '../../api/queries';
import { ItemActions } from '../../plugin-ui/item-actions';
import { CopyIcon, TrashIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page';
import { ErrorState, LoadingState } from '../../ui/states';
import { Timestamp } from '../../ui/timestamp';
import { useMetadata } from '../content-layout';
import { DeleteDialog } from '../delete-dialog';
import { itemLabel } from '../label';
import { ItemForm } from './item-form';
import { LockedField } from './locked-field';

/** Shows and changes one item. */
export function ItemPage() {
  const metadata = useMetadata();
  const { id = '' } = useParams();
  const item = useQuery(itemQuery(metadata.code, id));
  const list = (
    <LinkButton to={`/content/${metadata.code}`} variant="default">
      Back to the list
    </LinkButton>
  );
  if (item.data === undefined) {
    if (item.error === null) return <LoadingState rows={8} />;
    const gone = item.error instanceof ApiError && item.error.status === 404;
    return (
      <>
        <PageHeader title={`${metadata.displayName} ${id}`} actions={list} />
        <ErrorState
          error={item.error}
          title={gone ? 'There is no such item' : 'The item could not be loaded'}
          onRetry={() => void item.refetch()}
        />
      </>
    );
  }
  return <OpenItem key={`${metadata.code} ${id}`} metadata={metadata} item={item.data} failure={item.error} />;
}

function OpenItem({
  metadata,
  item,
  failure,
}: {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  readonly failure: unknown;
}) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<Item>();
  const list = `/content/${metadata.code}`;
  return (
    <>
      <PageHeader
        title={itemLabel(item).slice(0, 200)}
        description={<Facts metadata={metadata} item={item} />}
        actions={
          <>
            <LinkButton to={list} variant="default">
              Back to the list
            </LinkButton>
            {metadata.readOnly ? null : (
              <>
                <LinkButton to={`${list}/new?from=${item.id}`} variant="default" leftSection={<CopyIcon size={16} />}>
                  Duplicate
                </LinkButton>
                <Button
                  color="red"
                  variant="light"
                  leftSection={<TrashIcon size={16} />}
                  onClick={() => setDeleting(item)}
                >
                  Delete
                </Button>
              </>
            )}
            <ItemActions type={metadata.code} item={item} label={itemLabel(item).slice(0, 80)} />
          </>
        }
      />
      {failure === null ? null : <ErrorState error={failure} title="The item could not be read again" />}
      {metadata.readOnly ? (
        <ReadOnlyItem metadata={metadata} item={item} />
      ) : (
        <ItemForm metadata={metadata} stored={item} onSaved={() => undefined} />
      )}
      <DeleteDialog
        metadata={metadata}
        item={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => void navigate(list, { replace: true })}
      />
    </>
  );
}

function Facts({ metadata, item }: { readonly metadata: ItemMetadata; readonly item: Item }) {
  return (
    <Text size="sm" component="span">
      {metadata.displayName} {item.id} · version {numberText(item.values['version'])} · created{' '}
      <Timestamp value={item.values['createdAt']} /> · changed <Timestamp value={item.values['updatedAt']} />
    </Text>
  );
}

function ReadOnlyItem({ metadata, item }: { readonly metadata: ItemMetadata; readonly item: Item }) {
  return (
    <Stack gap="md" maw={760}>
      {metadata.fields.map((field) => (
        <LockedField
          key={field.name}
          field={field}
          value={item.values[field.name]}
          reason="Written by the plugin that brings this type."
        />
      ))}
    </Stack>
  );
}

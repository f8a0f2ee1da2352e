import { nameInSentence } from '../name-in-sentence';
import { Drawer, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error';
import type { Item } from '../../api/items';
import { itemQuery, metadataQuery } from '../../api/queries';
import { LinkButton } from '../../ui/page/link-button';
import { ErrorState, LoadingState } from '../../ui/states';
import { controlId } from '../form/fields/field-control';
import type { ItemFormProps } from '../form/item/item-form';
import { versionText } from '../form/item/item-facts';
import { ReadOnlyItem } from '../form/item/read-only-item';
import type { FormValues } from '../form/fields/form-values';
import { kindOf } from '../kinds/registry';
import { isLabelField, itemLabel } from '../../api/label';
import { may } from '../../common/may';
import { DrawerLevel, useDrawers, type OpenDrawer } from './drawers';

export interface ReferenceDrawerProps {
  /** Of the form over which it opens. */
  readonly level: number;
  /** Called when the item has been created or changed, with the field of the form below. */
  onSaved(field: string, item: Item): void;
  renderForm(form: ItemFormProps): ReactNode;
}

/** An item that a field of the form below refers to, to be looked at, changed or created without leaving the form. */
export function ReferenceDrawer({ level, onSaved, renderForm }: ReferenceDrawerProps) {
  const { drawers, close } = useDrawers();
  const drawer = drawers[level];
  if (drawer === undefined) return null;
  return (
    <OpenedDrawer
      key={`${drawer.type} ${drawer.id} ${drawer.field}`}
      drawer={drawer}
      level={level}
      renderForm={renderForm}
      onClose={() => close(level)}
      onSaved={(item) => {
        onSaved(drawer.field, item);
        close(level);
      }}
    />
  );
}

interface OpenedDrawerProps extends Pick<ReferenceDrawerProps, 'renderForm'> {
  readonly drawer: OpenDrawer;
  readonly level: number;
  onClose(): void;
  onSaved(item: Item): void;
}

function OpenedDrawer({ drawer, level, renderForm, onClose, onSaved }: OpenedDrawerProps) {
  const metadata = useQuery(metadataQuery(drawer.type));
  const item = useQuery({ ...itemQuery(drawer.type, drawer.id ?? ''), enabled: drawer.id !== undefined });
  const failed = metadata.error !== null ? metadata : item.error !== null && item.data === undefined ? item : undefined;
  useReturnedFocus(controlId({ name: drawer.field }, level));
  const typeName = metadata.data?.displayName ?? drawer.type;
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      // Each a little narrower than the one below, which stays in sight.
      size={`min(100vw, ${640 - level * 40}px)`}
      zIndex={200 + level * 10}
      // Only the topmost one, and not while a list of choices is open in it; see below.
      closeOnEscape={false}
      onKeyDown={(event) => (isEscapeFrom(event) ? onClose() : undefined)}
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title className="page-title" fw={600}>
            {drawer.id === undefined
              ? `New ${nameInSentence(typeName)}`
              : item.data === undefined
                ? typeName
                : titleOf(item.data)}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body>
          {failed !== undefined ? (
            <ErrorState
              error={failed.error}
              title={titleOfFailure(failed.error)}
              onRetry={() => void failed.refetch()}
            />
          ) : metadata.data === undefined || (drawer.id !== undefined && item.data === undefined) ? (
            <LoadingState rows={5} />
          ) : (
            <DrawerItem
              metadata={metadata.data}
              item={drawer.id === undefined ? undefined : item.data}
              level={level + 1}
              renderForm={renderForm}
              onClose={onClose}
              onSaved={onSaved}
            />
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** When the drawer closes, the focus goes back to what opened it, or else to the control of the field. */
function useReturnedFocus(control: string): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
      const target = isThere ? opener : document.getElementById(control);
      // Once nothing holds the focus in the drawer any more.
      setTimeout(() => target?.focus());
    },
    [opener, control],
  );
}

interface DrawerItemProps extends Omit<OpenedDrawerProps, 'drawer'> {
  readonly metadata: ItemMetadata;
  readonly item: Item | undefined;
}

function DrawerItem({ metadata, item, level, renderForm, onClose, onSaved }: DrawerItemProps) {
  const { typed } = useDrawers();
  if (!may(metadata, item === undefined ? 'create' : 'update')) {
    return item === undefined ? (
      <Text>
        {metadata.readOnly
          ? 'Read-only: only the plugin of this type creates items.'
          : 'You have no right to create items of this type.'}
      </Text>
    ) : (
      <DrawerLevel value={undefined}>
        <ReadOnlyItem metadata={metadata} item={item} />
      </DrawerLevel>
    );
  }
  return (
    <>
      {item === undefined ? null : (
        <Text size="sm" c="dimmed" mb="md" component="div">
          {versionText({ metadata, item })}{' '}
          <LinkButton to={`/content/${metadata.code}/${item.id}`} variant="transparent" size="compact-sm">
            Open its page
          </LinkButton>
        </Text>
      )}
      {renderForm({
        metadata,
        level,
        ...(item === undefined ? { initial: named(metadata, typed) } : { stored: item }),
        onSaved: (saved) => onSaved(saved.item),
        onCancel: onClose,
      })}
    </>
  );
}

/** A search text without results is likely the name of the new item. */
function named({ fields }: ItemMetadata, typed: string | undefined): FormValues {
  const field = fields.find(
    ({ name, type, options }) => isLabelField(name) && kindOf(type).isName && options === undefined,
  );
  return field === undefined || typed === undefined ? {} : { [field.name]: typed };
}

function titleOf(item: Item): string {
  return itemLabel(item).slice(0, 200);
}

function titleOfFailure(error: unknown): string {
  return error instanceof ApiError && error.status === 404 ? 'Item not found' : 'The item could not be loaded';
}

/** Escape within this drawer itself, not in a dialog above it, and not the one that closes a list of choices. */
function isEscapeFrom({ key, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== 'Escape' || !(target instanceof Element)) return false;
  const closesChoices = target.getAttribute('aria-expanded') === 'true';
  return !closesChoices && currentTarget.contains(target);
}

import { nameInSentence } from '../../name-in-sentence';
import { may } from '../../../common/may';
import { basePath } from '../../../common/base-path';
import { noView } from '../../list/list-state';
import '../form.css';
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useEffect, useId, useState, type ReactNode, type SubmitEvent } from 'react';
import type { Item } from '../../../api/items';
import { itemLabel } from '../../../api/label';
import { DrawerLevel, useDrawers } from '../../reference/drawers';
import { Surface } from '../../../ui/surface';
import { ConflictDialog } from '../conflict-dialog';
import { controlId } from '../fields/field-control';
import { FormActions, type FormActionsProps } from '../form-actions';
import { Fields, Sections, type FieldsProps } from '../fields/form-fields';
import { divideFields, hasFieldSearch, headFieldOf, isShortForm, sectionsOf } from '../fields/form-sections';
import { FormTabs, ProblemSummary } from '../fields/form-tabs';
import { useTabs } from '../fields/use-tabs';
import type { FormValues } from '../fields/form-values';
import { PendingUploads, usePendingUploads } from '../pending-uploads';
import { useUnsaved } from '../unsaved-guard';
import { shownFields, useItemForm } from '../use-item-form';
import { ItemRail } from './item-rail';
import { ApiError, isItemGone, messageOf } from '../../../api/api-error';
import { PlusIcon, RefreshIcon, SearchIcon, WarningIcon } from '../../../ui/icons';

export interface SavedItem {
  readonly item: Item;
  /** Another one is to be created next. */
  readonly another: boolean;
  /** Values that were typed while the item was being saved, and are not saved. */
  readonly typed: FormValues | undefined;
}

export interface ItemFormProps {
  readonly metadata: ItemMetadata;
  /** The item that is edited; a new one without. */
  readonly stored?: Item;
  /** Values that the form begins with, beside the declared defaults or what is stored. */
  readonly initial?: FormValues | undefined;
  /** Drawers below this form: none for the form of a page. */
  readonly level?: number;
  onSaved(saved: SavedItem): void;
  readonly onCancel?: () => void;
  /** The head of the page, which has what ends the work on the form; a drawer has that below the form. */
  renderHead?(actions: FormActionsProps): ReactNode;
}

export interface DrawerRendering {
  /** Shows the item that a field refers to, if the address opens one over the form at this level. */
  renderDrawer(level: number, onSaved: (field: string, item: Item) => void): ReactNode;
}

/** The form of an item, made from its form fields. */
export function ItemForm(props: ItemFormProps & DrawerRendering) {
  const { metadata, stored, initial, level = 0, onSaved, onCancel, renderHead, renderDrawer } = props;
  const form = useItemForm(metadata, stored, initial);
  const { uploading, beginUpload } = usePendingUploads();
  const [search, setSearch] = useState('');
  const id = useId();
  // A drawer has no room for a rail.
  const isPage = level === 0;
  const shown = shownFields(form, metadata);
  const { main, images, states } = isPage ? divideFields(shown) : { main: shown, images: [], states: [] };
  const head = headFieldOf(metadata)?.name;
  const tabs = useTabs(metadata, form, level);
  const isTop = useDrawers().drawers.length === level;
  useUnsaved(level, () => form.dirty.current || uploading, form.changed.length > 0 || uploading);
  const finish = (saved: Omit<SavedItem, 'another'> | undefined, another = false): void => {
    if (saved === undefined) return;
    notifySaved(metadata, saved.item);
    onSaved({ ...saved, another });
  };
  const nothingToSave = uploading || (stored !== undefined && form.changed.length === 0);
  const fieldProps = { type: metadata.code, form, search };
  const submit = async (): Promise<void> => {
    if (!uploading) finish(await form.save());
  };
  const actions: FormActionsProps = {
    form: id,
    isNew: stored === undefined,
    changes: form.changed.length,
    saving: form.saving,
    uploading,
    nothingToSave,
    onReset: form.reset,
    onSaveAndNew:
      isPage && may(metadata, 'create') ? () => void form.save().then((saved) => finish(saved, true)) : undefined,
    onCancel,
  };
  useHotkeys([['mod+S', () => (isTop && form.conflict === undefined ? void submit() : undefined)]], [], true);
  useFocusOnStart(inOrder(metadata.fields, head), stored === undefined, level);
  return (
    <DrawerLevel value={level}>
      {renderHead?.(actions)}
      <div className={isPage ? 'with-rail' : undefined}>
        <PendingUploads value={beginUpload}>
          <form
            id={id}
            onSubmit={(event: SubmitEvent) => {
              event.preventDefault();
              if (!nothingToSave) void submit();
            }}
            noValidate
            aria-label={`${stored === undefined ? 'New' : 'Edit'} ${nameInSentence(metadata.displayName)}`}
            className={isPage ? 'surface item-main' : undefined}
            data-body={main.filter(isDocument).length === 1 || undefined}
          >
            <ProblemSummary fields={form.fields} problems={form.problems.fields} onShow={tabs.show} />
            {form.problems.general === undefined ? null : (
              <NotSaved
                error={form.problems.general}
                list={newestItems(metadata, form.base)}
                onRetry={() => void submit()}
                onCreateAgain={() => void form.createAgain().then((saved) => finish(saved))}
              />
            )}
            {hasFieldSearch(form.fields) ? <FieldSearch search={search} onSearch={setSearch} /> : null}
            <MainFields {...fieldProps} fields={inOrder(main, head)} head={head} tabs={tabs} />
            {isPage ? null : (
              <Group className="form-bar" gap="xs" mt="lg" justify="flex-end">
                <FormActions {...actions} />
              </Group>
            )}
          </form>
          {!isPage ? null : (
            <ItemRail metadata={metadata} item={form.base} isShort={isShortForm(main)}>
              {images.length === 0 ? null : (
                <Surface>
                  <Fields {...fieldProps} fields={images} />
                </Surface>
              )}
              {sectionsOf(states).map(({ heading = 'State', fields }) => (
                <Surface key={heading} title={heading}>
                  <Fields {...fieldProps} fields={fields} />
                </Surface>
              ))}
            </ItemRail>
          )}
        </PendingUploads>
      </div>
      {/* Beside the form, because a form within it would submit both. */}
      {renderDrawer(level, form.referTo)}
      <ConflictDialog
        found={form.conflict?.found}
        onCancel={form.cancelConflict}
        onResolve={(keepMine) => void form.resolve(keepMine).then((saved) => finish(saved))}
      />
    </DrawerLevel>
  );
}

/** The field that names the item comes first. */
function inOrder(fields: readonly FormField[], head: string | undefined): readonly FormField[] {
  return fields.toSorted((one, other) => Number(other.name === head) - Number(one.name === head));
}

/** Whether a field has an editor with a toolbar. */
function isDocument({ document, format }: FormField): boolean {
  return (document ?? format) !== undefined;
}

/** Where a new item is found that may have been created all the same. */
function newestItems({ code }: ItemMetadata, base: Item | undefined): string | undefined {
  return base === undefined ? `/content/${code}?view=${noView}&sort=-id` : undefined;
}

/** The fields without a tab, above those of the tabs. */
function MainFields({ fields, tabs, ...props }: FieldsProps & { readonly tabs: ReturnType<typeof useTabs> }) {
  return (
    <>
      <Sections {...props} fields={fields.filter(({ tab }) => tab === undefined)} />
      {tabs.all.length === 0 ? null : <FormTabs {...props} tabs={tabs.all} open={tabs.open} onOpen={tabs.setOpen} />}
    </>
  );
}

interface FieldSearchProps {
  readonly search: string;
  onSearch(search: string): void;
}

function FieldSearch({ search, onSearch }: FieldSearchProps) {
  return (
    <TextInput
      type="search"
      aria-label="Find a field"
      placeholder="Find a field"
      leftSection={<SearchIcon size={16} />}
      mb="md"
      value={search}
      onChange={(event) => onSearch(event.currentTarget.value)}
    />
  );
}

/** A new item begins with its first field in sight. */
function useFocusOnStart(fields: readonly FormField[], isNew: boolean, level: number): void {
  useEffect(() => {
    const ids = isNew ? fields.map((field) => controlId(field, level)) : [];
    const control = ids.map((id) => document.getElementById(id)).find((one) => one?.closest('[hidden]') === null);
    // A drawer gives the focus to what is marked so, whenever it comes to it.
    control?.setAttribute('data-autofocus', '');
    control?.focus();
    // Only once: what comes later is the reader's.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

interface NotSavedProps {
  readonly error: unknown;
  /** Where a new item is found that may have been created all the same. */
  readonly list: string | undefined;
  onRetry(): void;
  /** Offered when there is nothing any more that could be saved. */
  onCreateAgain(): void;
}

/** Says why an item was not saved, and that nothing is lost. */
function NotSaved({ error, list, onRetry, onCreateAgain }: NotSavedProps) {
  if (list !== undefined && isUnknownOutcome(error)) {
    return <MaybeCreated error={error} list={list} onRetry={onRetry} />;
  }
  const isGone = isItemGone(error);
  const [way, Icon, go] = isGone
    ? (['Create it again', PlusIcon, onCreateAgain] as const)
    : (['Retry', RefreshIcon, onRetry] as const);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<WarningIcon />} title="Not saved. Your changes are still here." role="alert" mb="lg">
      <Text size="sm" className="long-text">
        {isGone ? 'The item was deleted.' : messageOf(error)}
      </Text>
      {requestId === undefined ? null : (
        <Text size="xs" mt="xxs">
          Request {requestId}
        </Text>
      )}
      <Button size="xs" variant="default" mt="sm" leftSection={<Icon size={14} />} onClick={go}>
        {way}
      </Button>
    </Alert>
  );
}

/** The answer of a create was lost: another try with the same values gets the item, if there is one. */
function MaybeCreated({ error, list, onRetry }: Pick<NotSavedProps, 'error' | 'onRetry'> & { readonly list: string }) {
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="The item may have been created" role="alert" mb="lg">
      <Text size="sm" className="long-text">
        {messageOf(error)} Retry: the same values do not create a second item. Your changes are still here.
      </Text>
      <Group gap="xs" mt="sm">
        <Button
          size="xs"
          variant="default"
          component="a"
          href={`${basePath}${list}`}
          target="_blank"
          leftSection={<SearchIcon size={14} />}
        >
          View the newest items
        </Button>
        <Button size="xs" variant="default" leftSection={<RefreshIcon size={14} />} onClick={onRetry}>
          Retry
        </Button>
      </Group>
    </Alert>
  );
}

/** Whether the request was carried out is not known: the connection ended before the answer came. */
function isUnknownOutcome(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 504);
}

function notifySaved({ displayName, singleton }: ItemMetadata, item: Item): void {
  const label = singleton === true ? '' : ` ${itemLabel(item).slice(0, 80)}`;
  notifications.show({ message: `Saved ${nameInSentence(displayName)}${label}`, color: 'green' });
}

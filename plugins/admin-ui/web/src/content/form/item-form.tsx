import './form.css';
import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import { memo, useEffect, type ComponentProps, type ReactNode, type SubmitEvent } from 'react';
import type { FormValue, Item } from '../../api/items';
import { itemLabel } from '../../api/label';
import { DrawerLevel, useDrawers } from '../reference/drawers';
import { ConflictDialog } from './conflict-dialog';
import { controlId, FieldControl } from './field-control';
import { FormBar } from './form-bar';
import type { FormValues } from './form-values';
import { PendingUploads, usePendingUploads } from './pending-uploads';
import { useUnsaved } from './unsaved-guard';
import { useItemForm } from './use-item-form';
import { LockedField } from './locked-field';
import { ApiError, isItemGone, messageOf } from '../../api/api-error';
import { PlusIcon, RefreshIcon, WarningIcon } from '../../ui/icons';

export interface SavedItem {
  readonly item: Item;
  /** Another one is to be created next. */
  readonly another: boolean;
  /** What was typed while the item was being saved, and so is not. */
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
}

export interface DrawerRendering {
  /** Shows the item that a field refers to, if the address opens one over the form at this level. */
  renderDrawer(level: number, onSaved: (field: string, item: Item) => void): ReactNode;
}

/** The form of an item, made from its form fields. */
export function ItemForm(props: ItemFormProps & DrawerRendering) {
  const { metadata, stored, initial, level = 0, onSaved, onCancel, renderDrawer } = props;
  const form = useItemForm(metadata, stored, initial);
  const { uploading, beginUpload } = usePendingUploads();
  const isTop = useDrawers().drawers.length === level;
  useUnsaved(level, () => form.dirty.current || uploading, form.changed.length > 0 || uploading);
  const finish = (saved: Omit<SavedItem, 'another'> | undefined, another = false): void => {
    if (saved === undefined) return;
    const label = itemLabel(saved.item).slice(0, 80);
    notifications.show({ message: `Saved ${metadata.displayName} ${label}`, color: 'green' });
    onSaved({ ...saved, another });
  };
  const nothingToSave = uploading || (stored !== undefined && form.changed.length === 0);
  const submit = async (): Promise<void> => {
    if (!uploading) finish(await form.save());
  };
  useHotkeys([['mod+S', () => (isTop && form.conflict === undefined ? void submit() : undefined)]], []);
  useFocusOnProblem(metadata, form.problems.fields, level);
  useFocusOnStart(metadata, stored === undefined, level);
  return (
    <DrawerLevel value={level}>
      {form.base === undefined ? null : (
        <FixedFields fields={metadata.fields.filter((field) => !form.fields.includes(field))} item={form.base} />
      )}
      <form
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          if (!nothingToSave) void submit();
        }}
        noValidate
        aria-label={`${stored === undefined ? 'New' : 'Edit'} ${metadata.displayName}`}
        className="item-form"
      >
        <Stack gap="lg">
          {form.problems.general === undefined ? null : (
            <NotSaved
              error={form.problems.general}
              onRetry={() => void submit()}
              onCreateAgain={() => void form.createAgain().then((saved) => finish(saved))}
            />
          )}
          <PendingUploads value={beginUpload}>
            {form.fields.map((field) => (
              <Field
                key={field.name}
                type={metadata.code}
                field={field}
                value={form.values[field.name] ?? ''}
                error={form.problems.fields[field.name]}
                onSet={form.set}
              />
            ))}
          </PendingUploads>
        </Stack>
        <FormBar
          isNew={stored === undefined}
          changes={form.changed.length}
          saving={form.saving}
          uploading={uploading}
          nothingToSave={nothingToSave}
          onReset={form.reset}
          onSaveAndNew={level > 0 ? undefined : () => void form.save().then((saved) => finish(saved, true))}
          onCancel={onCancel}
        />
      </form>
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

interface FieldProps extends Omit<ComponentProps<typeof FieldControl>, 'onChange'> {
  onSet(name: string, value: FormValue): void;
}

/** Drawn again only when it changes: a form may have hundreds of fields, and every key changes one of them. */
const Field = memo(function Field({ onSet, ...props }: FieldProps) {
  return <FieldControl {...props} onChange={(value) => onSet(props.field.name, value)} />;
});

function useFocusOnProblem(metadata: ItemMetadata, problems: Readonly<Record<string, string>>, level: number): void {
  useEffect(() => {
    const wrong = metadata.fields.find(({ name }) => problems[name] !== undefined);
    if (wrong !== undefined) document.getElementById(controlId(wrong, level))?.focus();
  }, [problems, metadata, level]);
}

/** A new item begins with its first field. */
function useFocusOnStart({ fields }: ItemMetadata, isNew: boolean, level: number): void {
  useEffect(() => {
    const [first] = fields;
    const control = isNew && first !== undefined ? document.getElementById(controlId(first, level)) : null;
    // A drawer gives the focus to what is marked so, whenever it comes to it.
    control?.setAttribute('data-autofocus', '');
    control?.focus();
    // Only once: what comes later is the reader's.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

interface FixedFieldsProps {
  readonly fields: readonly FormField[];
  readonly item: Item;
}

/** The values of an item that are set on create only, above the form, which has no fields for them. */
function FixedFields({ fields, item }: FixedFieldsProps) {
  if (fields.length === 0) return null;
  return (
    <Paper component="section" withBorder p="md" mb="lg" maw={760} aria-label="Set on create">
      <Group gap="xl" align="flex-start">
        {fields.map((field) => (
          <LockedField key={field.name} field={field} value={item.values[field.name]} />
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        Set when the item is created; cannot be changed.
      </Text>
    </Paper>
  );
}

interface NotSavedProps {
  readonly error: unknown;
  onRetry(): void;
  /** Offered when there is nothing any more that could be saved. */
  onCreateAgain(): void;
}

/** Says why an item was not saved, and that nothing is lost. */
function NotSaved({ error, onRetry, onCreateAgain }: NotSavedProps) {
  const isGone = isItemGone(error);
  const [way, Icon, go] = isGone
    ? (['Create it again', PlusIcon, onCreateAgain] as const)
    : (['Try again', RefreshIcon, onRetry] as const);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<WarningIcon />} title="Not saved. What you typed is still here." role="alert">
      <Text size="sm" className="long-text">
        {isGone ? 'The item was deleted.' : messageOf(error)}
      </Text>
      {requestId === undefined ? null : (
        <Text size="xs" mt={4}>
          Request {requestId}
        </Text>
      )}
      <Button size="xs" variant="default" mt="sm" leftSection={<Icon size={14} />} onClick={go}>
        {way}
      </Button>
    </Alert>
  );
}

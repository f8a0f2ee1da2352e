import '../webhooks.css';
import { Button, Checkbox, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { typesQuery } from '../../api/queries';
import { UnsavedScope, useUnsaved } from '../../content/form/unsaved-guard';
import { Failure } from '../../ui/failure';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { ConditionRows } from './condition-rows';
import { HeaderRows } from './header-rows';
import { SecretDialog } from '../secret-dialog';
import { SubscriptionTrouble } from '../subscription';
import {
  createWebhook,
  subscriptionsKey,
  updateWebhook,
  webhookQuery,
  type Webhook,
  type WebhookWithSecret,
} from '../webhook-api';
import { deliveredActions, draftOf, emptyDraft, inputOf, problemsOf, type WebhookDraft } from './webhook-draft';

/** A new webhook, or one that exists. */
export function FormPage({ id }: { readonly id?: string }) {
  return id === undefined ? <Form initial={emptyDraft} /> : <ExistingForm id={id} />;
}

function ExistingForm({ id }: { readonly id: string }) {
  const { refetchInterval: _refetchInterval, ...query } = webhookQuery(id);
  const found = useQuery({ ...query, staleTime: 0 });
  // The typed text stays, whatever the platform sends later.
  const [webhook, setWebhook] = useState<Webhook>();
  if (webhook === undefined && found.data !== undefined && !found.isFetching) setWebhook(found.data);
  if (webhook === undefined) return <SubscriptionTrouble title="Webhook" query={found} />;
  return <Form webhook={webhook} initial={draftOf(webhook)} />;
}

interface FormProps {
  readonly webhook?: Webhook;
  readonly initial: WebhookDraft;
}

function Form({ webhook, initial }: FormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initial);
  const isSaved = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const [created, setCreated] = useState<WebhookWithSecret>();
  const open = (id: string): void => void navigate(`/webhooks/${id}`);
  const set = (change: Partial<WebhookDraft>): void => setDraft((known) => ({ ...known, ...change }));
  const save = useMutation({
    mutationFn: async () => {
      const input = inputOf(draft);
      if (webhook === undefined) return createWebhook(input);
      await updateWebhook(webhook.id, input);
      return undefined;
    },
    onSuccess: async (result) => {
      isSaved.current = true;
      await client.invalidateQueries({ queryKey: subscriptionsKey });
      if (result !== undefined) setCreated(result);
      else if (webhook !== undefined) open(webhook.id);
    },
  });
  const { byPart, rest } = problemsOf(save.error);
  useEffect(() => {
    if (save.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [save.error]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial);
  return (
    <UnsavedScope text="The changes of this webhook are not saved and would be lost.">
      <UnsavedDraft isUnsaved={() => isChanged && !isSaved.current} now={isChanged} />
      <form onSubmit={submit} noValidate ref={form}>
        <PageHeader
          title={webhook === undefined ? 'New webhook' : `Edit ${webhook.name}`}
          description={webhook === undefined ? 'A webhook gets changes made after its creation.' : undefined}
          actions={
            <>
              <LinkButton to={webhook === undefined ? '/webhooks' : `/webhooks/${webhook.id}`} variant="default">
                Cancel
              </LinkButton>
              <Button type="submit" loading={save.isPending}>
                {webhook === undefined ? 'Create' : 'Save'}
              </Button>
            </>
          }
        />
        <Stack gap="lg" maw={720}>
          <Failure error={rest} />
          <TextInput
            label="Name"
            value={draft.name}
            error={byPart.name}
            data-autofocus
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="URL"
            description="The address gets each change as a POST request. Addresses of private networks are refused unless the platform is configured to allow them."
            placeholder="https://example.com/hooks"
            inputMode="url"
            value={draft.url}
            error={byPart.url}
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
          <Types value={draft.types} error={byPart.types} onChange={(types) => set({ types })} />
          <Checkbox.Group
            label="Actions"
            description="All actions if none is selected."
            value={[...draft.actions]}
            error={byPart.actions}
            onChange={(actions) => set({ actions })}
          >
            <Group gap="md" mt="xs">
              {deliveredActions.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <ConditionRows
            types={draft.types}
            conditions={draft.filter}
            error={byPart.filter}
            onChange={(filter) => set({ filter })}
          />
          <HeaderRows headers={draft.headers} error={byPart.headers} onChange={(headers) => set({ headers })} />
        </Stack>
      </form>
      <SecretDialog
        secret={created?.secret}
        onClose={() => {
          if (created !== undefined) open(created.id);
        }}
      />
    </UnsavedScope>
  );
}

interface TypesProps {
  readonly value: readonly string[];
  readonly error: string | undefined;
  onChange(types: readonly string[]): void;
}

/** A type of a plugin that is not in use stays chosen. */
function Types({ value, error, onChange }: TypesProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const known = types.map(({ type, displayNamePlural }) => ({ value: type, label: displayNamePlural }));
  const others = value
    .filter((code) => !types.some(({ type }) => type === code))
    .map((code) => ({ value: code, label: `${code} (not in use)` }));
  return (
    <MultiSelect
      label="Types"
      description="All types if none is selected, including types that are added later."
      placeholder={value.length === 0 ? 'All types' : undefined}
      data={[...known.toSorted((left, right) => left.label.localeCompare(right.label)), ...others]}
      value={[...value]}
      error={error}
      searchable
      clearable
      limit={50}
      nothingFoundMessage="No results"
      onChange={onChange}
      clearButtonProps={{ 'aria-label': 'Clear the types' }}
    />
  );
}

function UnsavedDraft({ isUnsaved, now }: { readonly now: boolean; isUnsaved(): boolean }) {
  useUnsaved(0, isUnsaved, now);
  return null;
}
